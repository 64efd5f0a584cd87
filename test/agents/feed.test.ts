/** What watchers are told of a step. */
import { describe, expect, it } from 'vitest';
import { describe as describeStep } from '../../agents/feed.js';
import { createRedactor } from '../../src/safety/redact.js';
import { type Agent, begin } from '../machines/agent.js';

const alertsOf = (agent: Agent, type = 'xstate.done.actor.perceive') =>
  describeStep(
    {
      context: agent.context,
      state: agent.state,
      events: [{ type }],
      deliveries: [],
      seq: 1,
      at: 1,
      host: 'h',
      born: false,
      ended: false,
    } as unknown as Parameters<typeof describeStep>[0],
    () => undefined,
    createRedactor({}),
  ).flatMap((event) => (event.kind === 'alerted' ? [event.text] : []));

describe('spending', () => {
  it('is warned of at 70, 85 and 95 percent, once each', () => {
    const agent = begin({ budget: { rounds: 20 } });
    const told: [number, string][] = [];
    for (let n = 1; n <= 20; n += 1) {
      agent.perceived();
      for (const text of alertsOf(agent)) told.push([n, text]);
      expect(alertsOf(agent, 'human.paused')).toEqual([]);
      if (n < 20) agent.called([{ name: 'look', action: { route: 'tool' } }]).toolsRan('ok');
    }
    expect(told).toEqual([
      [15, 'over 70 % of the budget for rounds is spent: 14 of 20'],
      [18, 'over 85 % of the budget for rounds is spent: 17 of 20'],
      [20, 'over 95 % of the budget for rounds is spent: 19 of 20'],
    ]);
  });

  it('of a grant that was raised is warned of anew', () => {
    const agent = begin({ budget: { rounds: 4 } });
    for (let n = 0; n < 3; n += 1) agent.round();
    expect(agent.perceived().context.warned).toMatchObject({ level: 70 });
    agent.budgeted({ rounds: 8 }).called([{ name: 'look', action: { route: 'tool' } }]);
    agent.toolsRan('ok').perceived();
    expect(alertsOf(agent)).toEqual([]);
    for (let n = 0; n < 2; n += 1)
      agent
        .called([{ name: 'look', action: { route: 'tool' } }])
        .toolsRan('ok')
        .perceived();
    expect(alertsOf(agent)).toHaveLength(1);
  });
});
