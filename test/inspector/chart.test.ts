import { describe, expect, it } from 'vitest';
import { and, createMachine, not, or, setup } from 'xstate';
import { agentMachine } from '../../machines/agent.js';
import { chartOf, chartSchema } from '../../src/inspector/chart.js';
import { definitionOf } from '../../src/inspector/xstate-event.js';
import { agentChart } from './support.js';

const edgesFrom = (from: string) => agentChart.edges.filter((edge) => edge.from === from);

describe('the chart of the agent', () => {
  it('has every state, with what is inside and what runs there', () => {
    expect(agentChart.states.filter(({ parent }) => parent === '').map(({ name }) => name)).toEqual(
      Object.keys(agentMachine.states),
    );
    expect(agentChart.states.find(({ path }) => path === 'act.running')).toMatchObject({
      parent: 'act',
      effects: ['callTools'],
    });
    expect(agentChart.states.find(({ path }) => path === 'act')).toMatchObject({
      kind: 'compound',
      initial: 'act.dispatch',
    });
    expect(agentChart.initial).toBe('perceive');
  });

  it('has the edges that need no event', () => {
    expect(edgesFrom('observe').filter(({ event }) => event === '').length).toBeGreaterThan(3);
    expect(edgesFrom('act.dispatch')).toContainEqual({ from: 'act.dispatch', event: '', to: 'observe', actions: [] });
  });

  it('has what is heard in every state, also where nothing is left', () => {
    expect(edgesFrom('')).toContainEqual(expect.objectContaining({ event: 'task.cancelled', to: 'terminate' }));
    const paused = edgesFrom('').find(({ event }) => event === 'human.paused');
    expect(paused).toEqual({ from: '', event: 'human.paused', actions: ['pause'] });
  });

  it('is plain data of its schema', () => {
    expect(chartSchema.parse(JSON.parse(JSON.stringify(agentChart)))).toEqual(agentChart);
  });

  it('becomes a configuration that XState takes, of the same chart', () => {
    const again = createMachine(JSON.parse(JSON.stringify(definitionOf(agentChart))));
    const { edges, ...rest } = chartOf(again, agentChart.version);
    expect(rest).toEqual({ ...agentChart, edges: undefined });
    const sorted = (list: typeof edges) => list.map((edge) => JSON.stringify(edge)).sort();
    expect(sorted(edges)).toEqual(sorted(agentChart.edges));
  });
});

it('says combined guards in words', () => {
  const machine = setup({ guards: { a: () => true, b: () => true } }).createMachine({
    id: 'x',
    initial: 'one',
    states: { one: { on: { go: { guard: or([and(['a', not('b')]), 'b']), target: 'two' } } }, two: { type: 'final' } },
  });
  expect(chartOf(machine, 1).edges).toMatchObject([{ from: 'one', event: 'go', to: 'two', guard: 'a and not b or b' }]);
});
