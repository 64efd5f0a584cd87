import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply } from '../../../src/parse/reply.js';

const tool = (effect: 'unsafe' | 'read', name: string, keys: string[]): ParseTool => ({
  name,
  description: name,
  effect,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
    required: keys,
  },
});
const tools = [
  tool('unsafe', 'delete_file', ['path']),
  tool('unsafe', 'send_mail', ['to', 'text']),
  tool('unsafe', 'write_file', ['path', 'content']),
  tool('read', 'read_file', ['path']),
];
const call = (name: string, args: object): string =>
  `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;
const remove = call('delete_file', { path: '/a' });
const read = call('read_file', { path: '/a' });
const [toA, toB] = ['a', 'b'].map((to) => call('send_mail', { to, text: 'hi' }));
const write = call('write_file', { path: '/x', content: 'y' });
/** The calls that run, as `name` or `name:recipient`. */
const runs = (text: string): string =>
  parseReply({ text, tools, finishReason: 'stop' })
    .calls.map(({ name, arguments: { to } }) => (to === undefined ? name : `${name}:${to}`))
    .join(' ');

/** Per section of the word lists: the reply that is made of its words, and the calls that must run. */
const kinds: Readonly<Record<string, readonly [(words: string) => string, string]>> = {
  'lead holds': [(words) => `${words}\n${remove}`, ''],
  'lead runs': [(words) => `${words}\n${remove}`, 'delete_file'],
  'between replaces': [(words) => `${toA}\n${words}\n${toB}`, 'send_mail:b'],
  'between adds': [(words) => `${toA}\n${words}\n${toB}`, 'send_mail:a send_mail:b'],
  'between of two tools runs both': [(words) => `${toA}\n${words}\n${write}`, 'send_mail:a write_file'],
  'after withdraws': [(words) => `${remove}\n${words}`, ''],
  'after keeps': [(words) => `${remove}\n${words}`, 'delete_file'],
};

function sections(language: string): [kind: string, words: string[]][] {
  const text = fs.readFileSync(new URL(`./${language}.txt`, import.meta.url), 'utf8');
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [kind, ...words] = part.trim().split('\n') as [string, ...string[]];
      return [kind, words];
    });
}

describe.each(['en', 'zh'])('words around calls that change something: %s', (language) => {
  it.each(sections(language))('%s', (kind, words) => {
    const [reply, wanted] = kinds[kind] as (typeof kinds)[string];
    const wrong = words.filter((line) => runs(reply(line)) !== wanted);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(words.length * 0.03);
  });
});

describe('what introduces several calls', () => {
  it.each([
    `For example you could call:\n${remove}\n${toA}\n${write}`,
    `Never do the following:\n${remove}\n\nand then:\n\n${toA}`,
    `Wrong:\n1. ${remove}\n2. ${toA}`,
    `以下调用是之前做的：\n${remove}\n${toA}\n以及\n${toB}`,
    `Please confirm before I run these:\n\`\`\`json\n{"name":"delete_file","arguments":{"path":"/a"}}\n\`\`\`\n\`\`\`json\n{"name":"send_mail","arguments":{"to":"a","text":"hi"}}\n\`\`\``,
  ])('holds for all of them: %s', (text) => {
    expect(runs(text)).toBe('');
  });

  it.each([
    `For example one could call:\n${remove}\nBut now I'm sending the mail:\n${toA}`,
    `错误做法：\n${remove}\n现在我来发送邮件：\n${toA}`,
    `Wrong:\n${remove}\nI'll send the mail instead:\n${toA}`,
  ])('ends where other words begin: %s', (text) => {
    expect(runs(text)).toBe('send_mail:a');
  });
});

describe('a tool that only reads', () => {
  it.each(['Shall I have a look?', 'That would be:', '如果您同意，我就读：', 'I could look here:'])(
    'runs in spite of a doubt: %s',
    (lead) => {
      expect(runs(`${lead}\n${read}`)).toBe('read_file');
    },
  );

  it.each(['For example you could call:', 'Never do the following:', '错误示例：'])(
    'does not run where the words leave none: %s',
    (lead) => {
      expect(runs(`${lead}\n${read}`)).toBe('');
    },
  );
});

describe('a call before one of another tool', () => {
  it.each([
    'Wrong tool.',
    'Ignore that call.',
    'No, that was the wrong file.',
    'Wait, I should look first:',
    '等等，我应该先看一下：',
  ])('is taken back by words that point at it: %s', (words) => {
    expect(runs(`${remove}\n${words}\n${read}`)).toBe('read_file');
  });
});
