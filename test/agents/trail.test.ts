import { describe, expect, it } from 'vitest';
import { leaveTrail } from '../../agents/trail.js';
import { type AgentContext, createContext } from '../../machines/context.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { StepView } from '../../src/host/role.js';
import type { Act } from '../../src/safety/audit.js';
import { createRedactor } from '../../src/safety/redact.js';
import { noTrail } from '../../src/safety/trail.js';
import { callOf } from '../tools/fixtures.js';
import { finalOf, look, orderOf, policy, roundOf } from './fixtures.js';

const call = callOf(look, { what: 'a' }, 'r1c1');
const bodies: Record<string, unknown> = { d1: { ...finalOf(''), kind: 'calls', calls: [call], actionHash: '1' } };
const context = { ...createContext({ order: orderOf('Look'), policy }), transcript: [roundOf(1, 'd1', [])] };

const actsOf = (...events: JsonObject[]): Act[] => actsAfter(context, ...events);

function actsAfter(after: AgentContext, ...events: JsonObject[]): Act[] {
  const acts: Act[] = [];
  const trail = { ...noTrail(createRedactor()), kept: true, acted: (act: Act) => void acts.push(act) };
  leaveTrail({ context: after, events } as unknown as StepView, (ref) => bodies[ref] as Json | undefined, trail);
  return acts;
}

describe('the trail of an agent', () => {
  it('names each tool that ran, by the hash of its arguments, and who allowed it', () => {
    const observation = { callId: 'r1c1', name: 'look', status: 'ok', data: 'secret', approvedBy: 'ana' };
    expect(
      actsOf({ type: 'xstate.done.actor.callTools', output: { results: [], observations: [observation] } }),
    ).toEqual([
      {
        act: 'tool.ran',
        taskId: 'a1',
        agentId: 'a1',
        of: 'r1c1',
        tool: 'look',
        status: 'ok',
        argumentsHash: call.hash,
        by: 'ana',
      },
    ]);
  });

  it('names who allowed and who denied a call', () => {
    const decided = (allow: boolean) => ({ type: 'human.decided', allow, approvalId: 'apr_1', by: '王芳' });
    expect(actsOf(decided(true), decided(false))).toMatchObject([
      { act: 'call.allowed', of: 'apr_1', by: '王芳' },
      { act: 'call.denied', of: 'apr_1', by: '王芳' },
    ]);
  });

  it('names reports that were not taken: of agents that were never asked, or a second one', () => {
    const reported = (agentId: string, ref: string) => ({ type: 'child.reported', ref, report: { agentId } });
    const after = { ...context, reports: { 'a1-1': 'in.5' } };
    expect(
      actsAfter(after, reported('a1-1', 'in.5'), reported('a1-1', 'in.6'), reported('a1-7', 'in.7')),
    ).toMatchObject([
      { act: 'report.refused', agentId: 'a1', of: 'a1-1' },
      { act: 'report.refused', agentId: 'a1', of: 'a1-7' },
    ]);
  });

  it('has nothing to say of other events', () => {
    expect(actsOf({ type: 'human.paused', by: 'ana' }, { type: 'xstate.done.actor.perceive', output: {} })).toEqual([]);
  });
});
