import { describe, expect, it } from 'vitest';
import { parseReply } from '../../src/parse/reply.js';
import { fuzz } from './fuzz.js';
import { allTools, corpusFiles, rowsOf, toolSets } from './load.js';
import { unfounded } from './provenance.js';

const rows = corpusFiles.flatMap(rowsOf);

describe('random replies', () => {
  it('get an outcome in which nothing hidden runs and nothing is made up', () => {
    const texts = rows.map((row) => row.text);
    const report = fuzz(20_260_101, 4000, texts, allTools);
    expect(report.faults).toEqual([]);
    expect(report.calls).toBeGreaterThan(1000);
    expect(report.open[0]).toBe(report.open[1]);
  });
});

describe('a call that may run', () => {
  it('stands in the reply, name and values, outside reasoning, comments, tool output and quotations', () => {
    for (const row of rows) {
      const reply = parseReply({ text: row.text, finishReason: row.finish, tools: toolSets[row.tools] ?? [] });
      expect(unfounded(row.text, reply), row.id).toEqual([]);
    }
  });

  it.each([
    '<think>{"name": "find", "arguments": {"q": "secret"}}</think>',
    '<!-- {"name": "find", "arguments": {"q": "secret"}} -->',
    'One writes `{"name": "find", "arguments": {"q": "secret"}}` for that.',
  ])('is found out when it does not: %s', (text) => {
    const reply = parseReply({ text, tools: allTools });
    const call = { name: 'find', arguments: { q: 'secret' }, confidence: 1, repairs: [] };
    expect(unfounded(text, { ...reply, calls: [call] })).toEqual(['find', 'secret']);
  });
});
