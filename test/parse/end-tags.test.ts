import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';

const text = { type: 'string' };

/** Only the place is required: a value that swallows the next one would run. */
const DIG: ParseTool = {
  name: 'dig',
  description: 'Digs.',
  effect: 'unsafe',
  parameters: { type: 'object', properties: { place: text, note: text, depth: text }, required: ['place'] },
};

const dug = (reply: string): unknown => {
  const { calls } = parseReply({ text: reply, tools: [DIG], finishReason: 'stop' });
  return calls.length === 1 ? calls[0]?.arguments : calls.length;
};

const equals = (body: string): string => `<tool_call>\n<function=dig>\n${body}\n</function>\n</tool_call>`;
const pairs = (body: string): string => `<tool_call>dig${body}</tool_call>`;

describe('an argument without its end tag', () => {
  it.each([
    equals('<parameter=place>\n门后面\n<parameter=note>\n深一点\n</parameter>'),
    '<invoke name="dig">\n<parameter name="place">门后面\n<parameter name="note">深一点</parameter>\n</invoke>',
    pairs('<arg_key>place</arg_key><arg_value>门后面<arg_key>note</arg_key><arg_value>深一点</arg_value>'),
  ])('ends where the next one begins: %s', (reply) => {
    expect(dug(reply)).toEqual({ place: '门后面', note: '深一点' });
  });

  it.each([
    [
      equals(
        '<parameter=note>\nsee\n<parameter=depth>\n3\n</parameter>\n</parameter>\n<parameter=place>\na\n</parameter>',
      ),
      { note: 'see\n<parameter=depth>\n3\n</parameter>', place: 'a' },
    ],
    [
      equals(
        '<parameter=note>\n如\n<parameter=depth>\n3\n</parameter>\n即可\n</parameter>\n<parameter=place>\n门\n</parameter>',
      ),
      { note: '如\n<parameter=depth>\n3\n</parameter>\n即可', place: '门' },
    ],
    [
      pairs(
        '<arg_key>note</arg_key><arg_value>as <arg_key>depth</arg_key><arg_value>3</arg_value> says</arg_value><arg_key>place</arg_key><arg_value>a</arg_value>',
      ),
      { note: 'as <arg_key>depth</arg_key><arg_value>3</arg_value> says', place: 'a' },
    ],
    [
      '<invoke name="dig"><parameter name="note"><dict>\n<key>place</key>\n<string>x</string>\n</dict></parameter><parameter name="place">a</parameter></invoke>',
      { note: '<dict>\n<key>place</key>\n<string>x</string>\n</dict>', place: 'a' },
    ],
  ])('is not seen in tags that a value is about: %#', (reply, meant) => {
    expect(dug(reply)).toEqual(meant);
  });
});

describe('a pair of tags with a tag too few or too many', () => {
  it.each([
    '<arg_key>place</arg_key></arg_key><arg_value>门后面</arg_value>',
    '<arg_key>place</arg_key>门后面</arg_value>',
    ' place</arg_key><arg_value>门后面</arg_value>',
    '\nplace</arg_key>\n<arg_value>门后面</arg_value>\n',
  ])('is read: %s', (body) => {
    expect(dug(pairs(body))).toEqual({ place: '门后面' });
  });

  it('is not made up from two', () => {
    expect(dug(pairs('<arg_key>place</arg_key>a<arg_key>note</arg_key><arg_value>b</arg_value>'))).toBe(0);
  });
});
