/** The same machine as a live actor, its effects provided: for inspectors and demos. */
import { describe, expect, it } from 'vitest';
import { createActor, fromPromise, waitFor } from 'xstate';
import { agentMachine } from '../../machines/agent.js';
import type { ToolsOutcome } from '../../machines/event.js';
import { rootAgentOf, type TaskId } from '../../src/domain/id.js';
import type { Delivery } from '../../src/domain/journal.js';
import * as fixtures from './fixtures.js';

describe('a live agent', () => {
  it('perceives, decides, acts and reports with the effects that it is given', async () => {
    const sent: Delivery[] = [];
    const states: string[] = [];
    const agentId = rootAgentOf('tsk_1' as TaskId);
    const usage = fixtures.used(480, 20);
    const machine = agentMachine.provide({
      actors: {
        perceive: fromPromise(async () => fixtures.prompt()),
        decide: fromPromise(async ({ input }) => {
          const { round } = input as { round: number };
          const identity = { round, agentId, actionHash: `h${round}` };
          return round === 1 ? fixtures.callsReply(usage, [fixtures.tool()], identity) : fixtures.finalReply(usage);
        }),
        callTools: fromPromise<ToolsOutcome, unknown>(async () => ({
          results: [{ callId: 'r1c1', name: 'look', status: 'ok' }],
        })),
        report: fromPromise(async () => fixtures.reportOf(agentId, 'done')),
      },
      actions: { deliver: (_, { deliveries }) => void sent.push(...deliveries) },
    });
    const actor = createActor(machine, {
      input: { order: fixtures.orderOf(fixtures.grant()), policy: fixtures.patient },
    });
    actor.subscribe(({ value }) => states.push(JSON.stringify(value)));
    actor.start();
    const end = await waitFor(actor, ({ status }) => status === 'done');
    expect([...new Set(states)]).toEqual([
      '"perceive"',
      '"decide"',
      '{"act":"running"}',
      '{"terminate":"report"}',
      '"done"',
    ]);
    expect(end.context.ending).toMatchObject({ status: 'done', termination: 'finished' });
    expect(sent).toMatchObject([{ to: 'task', report: { status: 'done' } }]);
  });

  it('fails when an effect is not provided, instead of pretending', async () => {
    const report = fromPromise(async () => fixtures.reportOf(fixtures.rootId, 'failed'));
    const actor = createActor(agentMachine.provide({ actors: { report } }), {
      input: { order: fixtures.orderOf(fixtures.grant()), policy: fixtures.patient },
    }).start();
    const end = await waitFor(actor, ({ status }) => status === 'done');
    expect(end.context.ending?.failure?.message).toContain('effect perceive is carried out by the host');
  });
});
