import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callTools } from '../../agents/act.js';
import type { EffectClass } from '../../src/domain/effect.js';
import type { Part } from '../../src/host/role.js';
import { defineTool } from '../../src/tools/tool.js';
import { callOf } from '../tools/fixtures.js';
import { boxOf, finalOf, orderOf, type ScopeOptions, scopeOf, servicesOf } from './fixtures.js';

/** Carries out one call each of the classes given, and tells which tools ran. */
async function act(classes: readonly EffectClass[], options: Omit<ScopeOptions, 'input' | 'bodies'> = {}) {
  const ran: string[] = [];
  const keys: string[] = [];
  const tools = classes.map((effect) =>
    defineTool({
      name: effect,
      description: effect,
      parameters: z.looseObject({}),
      effect,
      run: (_, { idempotencyKey }) => {
        ran.push(effect);
        keys.push(idempotencyKey);
        return `${effect} done`;
      },
    }),
  );
  const calls = tools.map((tool, index) => callOf(tool, {}, `r1c${index + 1}`));
  const scope = scopeOf(orderOf('act'), {
    ...options,
    input: { decision: 'e1', calls: calls.map(({ callId }) => ({ callId, approvedBy: null })) },
    bodies: { e1: { ...finalOf(''), kind: 'calls', calls, actionHash: 'h' } },
  });
  const outcome = await callTools(scope, boxOf(tools), servicesOf());
  return { outcome, ran, keys, recorded: scope.recorded };
}

const begun: Part = { state: 'begun', outcome: null };

describe('a call whose host died over it', () => {
  it.each(['pure', 'read', 'idempotent'] as const)('is run again when it is %s', async (effect) => {
    const { outcome, ran } = await act([effect], { parts: new Map([['r1c1', begun]]) });
    expect(ran).toEqual([effect]);
    expect(outcome.observations).toMatchObject([{ status: 'ok', data: `${effect} done` }]);
  });

  it('is run again with the same key', async () => {
    const first = await act(['idempotent']);
    const again = await act(['idempotent'], { parts: new Map([['r1c1', begun]]) });
    expect(again.keys).toEqual(first.keys);
    expect(first.keys).toEqual(['a1.r1c1']);
  });

  it('is reported and not run when it is unsafe', async () => {
    const { outcome, ran, recorded } = await act(['unsafe'], { parts: new Map([['r1c1', begun]]) });
    expect(ran).toEqual([]);
    expect(recorded).toEqual([]);
    expect(outcome.results).toEqual([{ callId: 'r1c1', name: 'unsafe', status: 'unknown' }]);
    expect(outcome.observations[0]?.error).toMatchObject({ kind: 'outcome_unknown', retryable: false });
  });

  it('is not run when it was settled, whatever its class: its outcome is taken over', async () => {
    const before = await act(['unsafe', 'read']);
    const settled = new Map(
      before.outcome.observations.map((seen) => [seen.callId, { state: 'settled', outcome: seen } as unknown as Part]),
    );
    const { outcome, ran } = await act(['unsafe', 'read'], { parts: settled });
    expect(ran).toEqual([]);
    expect(outcome).toEqual(before.outcome);
  });
});

describe('calls of a round', () => {
  it('are begun in the journal only when they are unsafe, and settled each when there are several', async () => {
    expect((await act(['unsafe'])).recorded).toEqual(['begin r1c1']);
    expect((await act(['read'])).recorded).toEqual([]);
    expect((await act(['read', 'unsafe', 'pure'])).recorded.sort()).toEqual([
      'begin r1c2',
      'settle r1c1',
      'settle r1c2',
      'settle r1c3',
    ]);
  });

  it('do not run when the agent is lost, whatever they do', async () => {
    const { outcome, ran } = await act(['unsafe', 'read'], { stands: false });
    expect(ran).toEqual([]);
    expect(outcome.observations.map(({ error }) => error?.kind)).toEqual(['cancelled', 'cancelled']);
  });

  it('are errors of their own when the journal or the worker does not know them', async () => {
    const [tool] = [
      defineTool({ name: 'far', description: 'f', parameters: z.object({}), effect: 'read', run: () => 1 }),
    ];
    const call = callOf(tool, {}, 'r1c1');
    const scope = scopeOf(orderOf('act'), {
      input: { decision: 'e1', calls: ['r1c1', 'r9c9'].map((callId) => ({ callId, approvedBy: 'zoe' })) },
      bodies: { e1: { ...finalOf(''), kind: 'calls', calls: [call], actionHash: 'h' } },
    });
    const { observations } = await callTools(scope, boxOf([]), servicesOf());
    expect(observations.map(({ error }) => error?.kind)).toEqual(['tool_unavailable', 'internal']);
    expect(observations[0]?.approvedBy).toBe('zoe');
  });
});
