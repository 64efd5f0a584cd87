import { describe, expect, it } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { defineAgent } from '../../agents/definition.js';
import { createRole } from '../../agents/role.js';
import { agentMachine } from '../../machines/agent.js';
import type { AgentInput } from '../../machines/context.js';
import { finish } from '../../src/tools/builtin/control.js';
import { orderOf, policy, servicesOf } from './fixtures.js';

const role = createRole(
  defineAgent({ name: 'executor', instructions: 'You look.', tools: [finish] }),
  servicesOf(),
  policy,
);

describe('the alarm of an agent that a host has', () => {
  const [born] = initialTransition(agentMachine, role.inputFor(orderOf('Look')) as unknown as AgentInput);
  const fired = (timer: string, at: number) => {
    const [after] = transition(agentMachine, born, { v: 1, type: 'timer.fired', id: 'a', ref: 'a', at, timer });
    return after.context.ending?.termination;
  };

  it('ends it at its deadline, whatever is under way', () => {
    const { dueAt, timer } = role.alarm(born.context);
    expect(dueAt).toBe(born.context.deadlineAt);
    expect(fired(timer, dueAt)).toBe('deadline_passed');
  });

  it('means nothing when it was set for a deadline that was moved', () => {
    const { dueAt, timer } = role.alarm({ ...born.context, deadlineAt: born.context.deadlineAt - 1 });
    expect(fired(timer, dueAt)).toBeUndefined();
  });
});
