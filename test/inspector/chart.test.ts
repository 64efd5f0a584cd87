import { expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { type Chart, toJson } from '../../machines/diagram.js';
import { definitionOf } from '../../src/inspector/xstate-event.js';
import { agentChart } from './support.js';

/** What the XState inspector draws: not what a state is for, nor what happens on entry. */
const drawn = ({ edges, id, initial, states }: Chart) => ({
  id,
  initial,
  states: states.map(({ description: _, entry: __, ...state }) => state),
  edges: edges.map((edge) => JSON.stringify(edge)).sort(),
});

it('the chart of the agent becomes a configuration that XState takes, of the same chart', () => {
  const again = createMachine(JSON.parse(JSON.stringify(definitionOf(agentChart))));
  expect(drawn(toJson(again))).toEqual(drawn(agentChart));
});
