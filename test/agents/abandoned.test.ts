import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../agents/definition.js';
import { createRole } from '../../agents/role.js';
import { failure } from '../../src/domain/failure.js';
import type { AgentId, RoleName } from '../../src/domain/id.js';
import { deliverySchema } from '../../src/domain/journal.js';
import { finish } from '../../src/tools/builtin/control.js';
import { orderOf, policy, servicesOf } from './fixtures.js';

const role = createRole(
  defineAgent({ name: 'executor', instructions: 'You look.', tools: [finish] }),
  servicesOf(),
  policy,
);
const unreadable = failure('internal', 'record 7 is no record');

describe('an agent that no host can carry on', () => {
  it('ends its task as failed, with the reason and where to look', () => {
    const [delivery, ...more] = role.abandoned(orderOf('Look'), unreadable, 2_000);
    expect(deliverySchema.safeParse(delivery).success).toBe(true);
    expect(delivery).toMatchObject({
      to: 'task',
      taskId: 'a1',
      endedAt: 2_000,
      report: {
        status: 'failed',
        termination: 'failed',
        retryable: false,
        error: { kind: 'internal', message: 'record 7 is no record', hint: expect.stringContaining('dead letters') },
        usage: { ms: 1_000 },
      },
    });
    expect(more).toEqual([]);
  });

  it.each([
    ['cancelled', 'cancelled'],
    ['parent_gone', 'cancelled'],
    ['deadline_passed', 'exhausted'],
  ] as const)('that nobody began ends for the reason that came first: %s', (kind, status) => {
    const reason = failure(kind, 'why');
    expect(role.abandoned(orderOf('Look'), reason, 2_000)).toMatchObject([
      { report: { status, termination: kind, error: reason } },
    ]);
  });

  it('reports to its parent, under the id that its own report would have had', () => {
    const parent = { agentId: 'a1' as AgentId, role: 'planner' as RoleName, callId: 'r1c1' };
    const why = failure('poisoned', '5 hosts in a row died over agent a1');
    expect(role.abandoned(orderOf('Look', { agentId: 'a1-1' as AgentId, parent, depth: 1 }), why, 2_000)).toMatchObject(
      [
        {
          to: 'inbox',
          agentId: 'a1',
          role: 'planner',
          message: { type: 'child.reported', id: 'a1-1.report', report: { status: 'failed', termination: 'poisoned' } },
        },
      ],
    );
  });
});
