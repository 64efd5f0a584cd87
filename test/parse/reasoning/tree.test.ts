import { describe, expect, test } from 'vitest';
import { compileThoughtCues } from '../../../src/parse/reasoning/classify.js';
import { sentencesOf } from '../../../src/parse/reasoning/sentences.js';
import { type ReasoningTree, reasoningTree } from '../../../src/parse/reasoning/tree.js';
import { parseReply } from '../../../src/parse/reply.js';

const treeOf = (text: string): ReasoningTree =>
  reasoningTree([{ source: 'text', text, offset: 0 }], compileThoughtCues());
const sentences = (text: string): string[] => sentencesOf(text, 100).map(({ start, end }) => text.slice(start, end));

describe('sentences', () => {
  test.each([
    ['One. Two! Three? Four', ['One. Two! Three? Four']],
    [
      'The total is 3.50 euros. It went up, e.g. in May. Dr. No agrees.',
      ['The total is 3.50 euros.', 'It went up, e.g. in May.', 'Dr. No agrees.'],
    ],
    ['先查表。再算总和！对吗？', ['先查表。', '再算总和！', '对吗？']],
    ['Hmm. Wait. The sum is off.', ['Hmm. Wait. The sum is off.']],
    ['不对。应该是六月。', ['不对。应该是六月。']],
    ['1. read main.ts\n2. count\n\n- report', ['1. read main.ts', '2. count', '- report']],
    ['Look at this:\n```\na. b. c.\n```\nIt is short.', ['Look at this:\n```\na. b. c.\n```', 'It is short.']],
    ['She said "go." Then we went on.', ['She said "go."', 'Then we went on.']],
    ['…… \n ***', []],
    ['', []],
  ])('of %j', (text, expected) => {
    expect(sentences(text)).toEqual(expected);
  });

  test('are limited in number and linear in time', () => {
    expect(sentencesOf('It is so. '.repeat(500), 20)).toHaveLength(20);
    for (const unit of ['. ', 'a. ', '不对', '\n', '```\n', '我。'])
      expect(treeOf(unit.repeat(100_000)).nodes.length).toBeLessThanOrEqual(1_000);
  });
});

describe('a reasoning tree', () => {
  const text = [
    'First I need to sum the revenue column.',
    'The revenue column sums to 1,200 euros.',
    'Wait, the revenue column holds cents, so the sum is 12 euros.',
    'That looks plausible.',
    'So the report can be written.',
  ].join(' ');

  test('has types, order, positions and temporal edges', () => {
    const { nodes, edges } = treeOf(text);
    expect(nodes.map(({ id, type, order }) => [id, type, order])).toEqual([
      ['rn_0', 'planning', 0],
      ['rn_1', 'statement', 1],
      ['rn_2', 'self_correction', 2],
      ['rn_3', 'evaluation', 3],
      ['rn_4', 'statement', 4],
    ]);
    for (const { content, position } of nodes) expect(text.slice(position.start, position.end)).toBe(content);
    expect(edges.filter(({ kind }) => kind === 'next').map(({ from, to }) => `${from}>${to}`)).toEqual([
      'rn_0>rn_1',
      'rn_1>rn_2',
      'rn_2>rn_3',
      'rn_3>rn_4',
    ]);
  });

  test('knows what a correction takes back, and what builds on what', () => {
    const { nodes, edges } = treeOf(text);
    expect(nodes.map(({ superseded }) => superseded)).toEqual([false, true, false, false, false]);
    expect(edges).toContainEqual({ kind: 'corrects', from: 'rn_2', to: 'rn_1' });
    expect(nodes.map(({ based_on }) => based_on)).toEqual([[], ['rn_0'], ['rn_1'], ['rn_2'], ['rn_3']]);
    for (const node of nodes)
      for (const base of node.based_on) expect(nodes.find(({ id }) => id === base)?.led_to).toContain(node.id);
  });

  test('finds the earlier thought that a correction is about, in Chinese too', () => {
    const { nodes } = treeOf('奥斯陆的气温是 20 度。接下来调用汇率工具。更正一下,奥斯陆的气温是 12 度。');
    expect(nodes.map(({ type }) => type)).toEqual(['statement', 'planning', 'self_correction']);
    expect(nodes.map(({ superseded }) => superseded)).toEqual([true, false, false]);
  });

  test('a doubt alone takes nothing back', () => {
    expect(treeOf('The total is 42. Maybe the total is too low.').nodes.map((n) => n.superseded)).toEqual([
      false,
      false,
    ]);
  });

  test('follows references to numbered steps', () => {
    const { nodes } = treeOf(
      '1. Read the log\n2. Count the errors\n3. Write a mail\nThe figure from step 2 goes into the mail.',
    );
    expect(nodes[3]?.based_on).toContain('rn_1');
    expect(treeOf('第一步:读日志\n第二步:统计\n用第一步的结果。').nodes[2]?.based_on).toContain('rn_0');
  });
});

describe('the reasoning tree of a reply', () => {
  test('takes fields first, then tags, with their own offsets', () => {
    const content = '<think>Maybe it is raining.</think>It rains.<thinking>Let me check.</thinking>';
    const reply = parseReply({
      message: { role: 'assistant', content, reasoning_content: 'I remember the city.' },
      tools: [],
    });
    expect(reply.reasoningTree.nodes.map(({ type, position }) => [type, position.source])).toEqual([
      ['memory_retrieval', 'field'],
      ['uncertainty', 'text'],
      ['planning', 'text'],
    ]);
    const [, second] = reply.reasoningTree.nodes;
    expect(content.slice(second?.position.start, second?.position.end)).toBe('Maybe it is raining.');
  });

  test.each([
    [{ reasoning: 'Let me check.' }],
    [{ reasoning_details: [{ type: 'reasoning.text', text: 'Let me check.', signature: 'abc' }] }],
    [{ reasoning_details: [{ type: 'reasoning.summary', summary: 'Let me check.' }] }],
  ])('reads %j', (fields) => {
    const reply = parseReply({ message: { role: 'assistant', content: 'Done.', ...fields }, tools: [] });
    expect(reply.reasoningTree.nodes.map(({ type }) => type)).toEqual(['planning']);
  });

  test('is empty without reasoning, is made once, and goes into JSON', () => {
    expect(parseReply({ text: 'Let me check.', tools: [] }).reasoningTree).toEqual({ nodes: [], edges: [] });
    const reply = parseReply({ text: '<think>Let me check.</think>', finishReason: 'stop', tools: [] });
    expect(reply.reasoningTree).toBe(reply.reasoningTree);
    expect(JSON.parse(JSON.stringify(reply)).reasoningTree.nodes).toHaveLength(1);
  });
});
