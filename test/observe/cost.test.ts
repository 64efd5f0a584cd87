import { describe, expect, it } from 'vitest';
import { noUsage } from '../../src/domain/usage.js';
import { costLine, duration, usd } from '../../src/observe/cost.js';

describe('the cost line', () => {
  it('says rounds, tokens in and out, tool calls, money and time', () => {
    const usage = { inputTokens: 30_512, outputTokens: 1_204, costUsd: 0.00421, rounds: 12, toolCalls: 9, ms: 8_420 };
    expect(costLine(usage)).toBe('12 rounds · 30,512 tokens in · 1,204 out · 9 tool calls · $0.0042 · 8.4 s');
  });

  it('counts one and none as people do', () => {
    const usage = { ...noUsage, rounds: 1, inputTokens: 1, toolCalls: 1 };
    expect(costLine(usage)).toBe('1 round · 1 token in · 0 out · 1 tool call · $0.00 · 0 ms');
  });

  it.each([
    [0, '$0.00'],
    [0.000_01, '<$0.0001'],
    [0.0042, '$0.0042'],
    [0.5, '$0.50'],
    [1_234.5, '$1234.50'],
  ])('writes %d as %s', (amount, text) => {
    expect(usd(amount)).toBe(text);
  });

  it.each([
    [999, '999 ms'],
    [59_940, '59.9 s'],
    [60_000, '1 min 0 s'],
    [119_600, '2 min 0 s'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});
