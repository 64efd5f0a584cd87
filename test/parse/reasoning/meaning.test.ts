import { describe, expect, test } from 'vitest';
import { compileThoughtCues } from '../../../src/parse/reasoning/classify.js';
import { bridgeGaps, findGaps } from '../../../src/parse/reasoning/continuity.js';
import { checkEvidence } from '../../../src/parse/reasoning/evidence.js';
import { reasoningTree } from '../../../src/parse/reasoning/tree.js';

const treeOf = (text: string) => reasoningTree([{ source: 'text', text, offset: 0 }], compileThoughtCues());

describe('gaps between thoughts', () => {
  const tree = treeOf('The invoice lists twelve items. Oslo has cold winters. Oslo winters last five months.');
  const ask = async (before: string, after: string) => `Between ${before.length} and ${after.length}.`;

  test('are where neighbours share nothing', () => {
    expect(findGaps(tree).map(({ before, after }) => `${before.id} ${after.id}`)).toEqual(['rn_0 rn_1']);
  });

  test('are bridged by what the model says, marked as filled in', async () => {
    const { nodes, edges } = await bridgeGaps(tree, { most: 3, affordable: () => true, ask });
    expect(nodes.map(({ id, order, auto_filled }) => [id, order, auto_filled])).toEqual([
      ['rn_0', 0, false],
      ['rn_3', 1, true],
      ['rn_1', 2, false],
      ['rn_2', 3, false],
    ]);
    expect(nodes[1]).toMatchObject({ based_on: ['rn_0'], led_to: ['rn_1'], content: 'Between 31 and 22.' });
    expect(nodes[0]?.led_to).toContain('rn_3');
    expect(nodes[2]?.based_on).toContain('rn_3');
    const next = edges.filter(({ kind }) => kind === 'next').map(({ from, to }) => `${from}>${to}`);
    expect(next.sort()).toEqual(['rn_0>rn_3', 'rn_1>rn_2', 'rn_3>rn_1']);
  });

  test('stay when bridging is off, cannot be afforded, or the model knows none', async () => {
    expect(await bridgeGaps(tree, { affordable: () => true, ask })).toBe(tree);
    expect(await bridgeGaps(tree, { most: 3, affordable: () => false, ask })).toBe(tree);
    expect(await bridgeGaps(tree, { most: 3, affordable: () => true, ask: async () => ' ' })).toBe(tree);
  });
});

describe('a claimed result', () => {
  const results = [
    { round: 1, tool: 'web_search', text: 'four hotels in Oslo: Grand, Plaza, Bristol, Viking' },
    { round: 2, tool: 'read_file', text: 'region,revenue\nnorth,1200' },
  ];
  const tools = ['web_search', 'read_file', 'run_tests'];
  const check = (text: string, known = results) =>
    checkEvidence(treeOf(text), known, tools).map(({ trusted, result }) => [trusted, result]);

  test.each([
    ['The search in round 1 returned four hotels.', 0],
    ['read_file returned the revenue by region.', 1],
    ['The search found four hotels in Oslo, the Grand among them.', 0],
    ['第 2 轮的查询返回了收入。', 1],
  ])('is trusted when there is such a result: %j', (text, result) => {
    expect(check(text)).toEqual([[true, result]]);
  });

  test.each([
    'The result of round 7 shows a profit.',
    'run_tests returned no failures.',
    'I have verified the signature of the contract.',
    '我已经运行了全部脚本。',
  ])('is not when there is none: %j', (text) => {
    expect(check(text)).toEqual([[false, undefined]]);
  });

  test('is never trusted before any tool has run, and says why', () => {
    const [claim] = checkEvidence(treeOf('The tool returned 14 rows.'), [], tools);
    expect(claim).toEqual({ node: 'rn_0', trusted: false, reason: 'no tool has given a result yet' });
  });

  test.each([
    'I will run the tests next.',
    'Maybe the search found nothing?',
    'Paris is the capital of France.',
    '我要调用搜索工具。',
  ])('is not seen in %j', (text) => {
    expect(check(text, [])).toEqual([]);
  });
});
