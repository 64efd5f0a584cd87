import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.js';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';

const text = { type: 'string' };

const tool = (properties: JsonObject, required: string[]): ParseTool => ({
  name: 'dig',
  description: 'Digs.',
  effect: 'unsafe',
  parameters: { type: 'object', properties, required },
});

const PLACE = tool({ place: text }, ['place']);
const DEEP = tool({ place: text, depth: { type: 'integer' } }, ['place']);

/** The arguments of the call that runs; undefined when it is refused. */
function dug(digging: ParseTool, given: string): unknown {
  const call = { id: 'c', type: 'function', function: { name: 'dig', arguments: given } };
  return parseReply({
    message: { role: 'assistant', content: null, tool_calls: [call] },
    tools: [digging],
    finishReason: 'tool_calls',
  }).calls[0]?.arguments;
}

describe('arguments as plain text', () => {
  it.each([
    ['behind the gate', { place: 'behind the gate' }],
    ['place: behind the gate', { place: 'behind the gate' }],
    ['place：门后面', { place: '门后面' }],
    ['place = "门后面"', { place: '门后面' }],
    ['place: first line\nsecond line', { place: 'first line\nsecond line' }],
    ['<place>behind the gate</place>', { place: 'behind the gate' }],
    ['<parameter name="place"> 门后面 </parameter>', { place: ' 门后面 ' }],
    ['<b>behind</b> the gate', { place: '<b>behind</b> the gate' }],
  ])('%s is read', (given, meant) => {
    expect(dug(PLACE, given)).toEqual(meant);
  });

  it.each([
    ['place: behind the gate\ndepth: 3', { place: 'behind the gate', depth: 3 }],
    ['<place>门后面</place>\n<depth>3</depth>', { place: '门后面', depth: 3 }],
  ])('%s is read with several parameters', (given, meant) => {
    expect(dug(DEEP, given)).toEqual(meant);
  });

  it.each([
    [PLACE, 'null'],
    [PLACE, 'None'],
    [PLACE, 'undefined'],
    [PLACE, '<place><p>behind the gate</p></place>'],
    [DEEP, 'place: behind the gate\nand then left'],
    [DEEP, 'place: a\nplace: b'],
    [DEEP, 'place="a", depth=3'],
    [DEEP, 'depth: 3'],
  ])('%# is refused: it may mean something else', (digging, given) => {
    expect(dug(digging, given)).toBeUndefined();
  });
});

describe('a copy of the schema', () => {
  it('gives the value inside it', () => {
    const given = { place: { type: 'string', value: '门后面' }, depth: { type: 'integer', value: 3 } };
    expect(dug(DEEP, JSON.stringify(given))).toEqual({ place: '门后面', depth: 3 });
  });

  it.each([
    { place: { type: 'string', description: 'Where.' } },
    { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  ])('is no value itself: %j', (given) => {
    expect(dug(PLACE, JSON.stringify(given))).toBeUndefined();
  });

  it('is a value where objects are due', () => {
    const shape = tool({ shape: { type: 'object' } }, ['shape']);
    expect(dug(shape, '{"shape": {"type": "object", "title": "门"}}')).toEqual({
      shape: { type: 'object', title: '门' },
    });
  });
});

describe('a name given twice, one inside the other', () => {
  it('is taken off a value that is no object', () => {
    expect(dug(PLACE, '{"place": {"place": "门后面"}}')).toEqual({ place: '门后面' });
    expect(dug(DEEP, '{"place": "a", "depth": {"depth": 3}}')).toEqual({ place: 'a', depth: 3 });
  });

  it('is refused with more beside it', () => {
    expect(dug(DEEP, '{"place": {"place": "a", "depth": 3}}')).toBeUndefined();
  });

  it('stays in a value that may be an object', () => {
    const place = tool({ place: { anyOf: [text, { type: 'object' }] } }, ['place']);
    expect(dug(place, '{"place": {"place": "a"}}')).toEqual({ place: { place: 'a' } });
  });
});

describe('an object as the only argument of a written call', () => {
  const written = (call: string, digging: ParseTool): unknown =>
    parseReply({ text: call, tools: [digging], finishReason: 'stop' }).calls[0]?.arguments;

  it('holds all arguments', () => {
    expect(written('Action: dig({"place": "门后面", "depth": 3})', DEEP)).toEqual({ place: '门后面', depth: 3 });
    expect(written('[dig({"place": "behind"})]', PLACE)).toEqual({ place: 'behind' });
  });

  it('may be unpacked in its place, and nothing else may', () => {
    expect(written('[dig(**{"place": "门后面"})]', DEEP)).toEqual({ place: '门后面' });
    expect(written('[dig(**given)]', DEEP)).toBeUndefined();
    expect(written('[dig(*["behind"])]', PLACE)).toBeUndefined();
    expect(written('[dig(depth=3, **{"place": "behind"})]', DEEP)).toBeUndefined();
  });

  it('is not the text of the one parameter', () => {
    expect(written('[dig({"spot": "behind"})]', PLACE)).toBeUndefined();
  });

  it('is the value of a parameter that takes objects', () => {
    const shape = tool({ shape: { type: 'object' } }, ['shape']);
    expect(written('[dig({"wide": 2})]', shape)).toEqual({ shape: { wide: 2 } });
  });
});
