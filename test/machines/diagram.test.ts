import { describe, expect, it } from 'vitest';
import { and, createMachine, fromPromise, not, setup } from 'xstate';
import { agentMachine } from '../../machines/agent.js';
import { toJson, toMermaid } from '../../machines/diagram.js';

const small = setup({
  types: {} as { events: { type: 'started' } | { type: 'broken' } | { type: 'heard' } },
  actors: { work: fromPromise(() => Promise.resolve()) },
  guards: { ready: () => true, tired: () => false },
  actions: { note: () => {} },
}).createMachine({
  id: 'small',
  initial: 'idle',
  on: { broken: { target: '.over', actions: 'note' }, heard: { actions: ['note'] } },
  states: {
    idle: {
      description: 'Waits.',
      on: { started: [{ guard: and(['ready', not('tired')]), target: 'busy' }, { target: 'over' }] },
    },
    busy: {
      initial: 'first',
      states: {
        first: {
          entry: 'note',
          invoke: { src: 'work', id: 'work', onDone: { target: 'second' }, onError: '#small.over' },
        },
        second: { always: [{ guard: 'tired', target: '#small.idle' }, { target: 'last' }] },
        last: { type: 'final' },
      },
      onDone: 'over',
    },
    over: { type: 'final' },
  },
});

describe('a machine as data', () => {
  const chart = toJson(small);

  it('names every state with its place, kind, purpose and effects', () => {
    expect(chart.states.map(({ path }) => path)).toEqual([
      'idle',
      'busy',
      'busy.first',
      'busy.second',
      'busy.last',
      'over',
    ]);
    expect(chart.states[0]).toMatchObject({ name: 'idle', parent: '', kind: 'atomic', description: 'Waits.' });
    expect(chart.states[1]).toMatchObject({ kind: 'compound', initial: 'busy.first', effects: [] });
    expect(chart.states[2]).toMatchObject({ name: 'first', parent: 'busy', effects: ['work'], entry: ['note'] });
    expect(chart).toMatchObject({ v: 1, id: 'small', initial: 'idle' });
  });

  it('names every edge, those without an event too, in the order in which they are tried', () => {
    expect(chart.edges.filter(({ from }) => from === '')).toEqual([
      { from: '', event: 'broken', to: 'over', actions: ['note'] },
      { from: '', event: 'heard', actions: ['note'] },
    ]);
    expect(chart.edges.filter(({ from }) => from === 'idle')).toEqual([
      { from: 'idle', event: 'started', to: 'busy', guard: 'ready and not tired', actions: [] },
      { from: 'idle', event: 'started', to: 'over', actions: [] },
    ]);
    expect(chart.edges.filter(({ from }) => from === 'busy.second')).toEqual([
      { from: 'busy.second', event: '', to: 'idle', guard: 'tired', actions: [] },
      { from: 'busy.second', event: '', to: 'busy.last', actions: [] },
    ]);
    expect(chart.edges.map(({ event }) => event)).toContain('xstate.error.actor.work');
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(toJson(agentMachine)))).toEqual(toJson(agentMachine));
  });

  it('says so where a guard or an action has no name', () => {
    const inline = createMachine({
      initial: 'a',
      states: { a: { on: { go: { guard: () => true, target: 'b', actions: () => {} } } }, b: {} },
    });
    expect(toJson(inline).edges).toEqual([{ from: 'a', event: 'go', to: 'b', guard: 'inline', actions: ['inline'] }]);
  });
});

describe('a machine as a diagram', () => {
  it('shows states inside states, effects, guards by rank, and edges without an event', () => {
    expect(toMermaid(small).split('\n')).toEqual([
      'stateDiagram-v2',
      '  [*] --> idle',
      '  state "idle" as idle',
      '  state "busy" as busy {',
      '    [*] --> busy_first',
      '    state "first<br/>does work" as busy_first',
      '    state "second" as busy_second',
      '    state "last" as busy_last',
      '    busy_last --> [*]',
      '  }',
      '  state "over" as over',
      '  over --> [*]',
      '  state "any other state" as anywhere',
      '  anywhere --> over : broken',
      '  idle --> busy : started 1 [ready and not tired]',
      '  idle --> over : started 2 [else]',
      '  busy --> over : done.busy',
      '  busy_first --> busy_second : done.work',
      '  busy_first --> over : error.work',
      '  busy_second --> idle : 1 [tired]',
      '  busy_second --> busy_last : 2 [else]',
      '',
    ]);
  });

  it('draws two ways between the same states as one arrow', () => {
    expect(toMermaid(agentMachine)).toContain('reflect --> perceive : done.reflect<br/>error.reflect\n');
  });

  it('shows every state and every move of the agent, each named', () => {
    const chart = toJson(agentMachine);
    const text = toMermaid(agentMachine);
    for (const { path, description } of chart.states) {
      expect(text).toContain(` as ${path.replaceAll('.', '_')}`);
      expect(description).toMatch(/[.?]$/);
    }
    for (const { guard, to } of chart.edges)
      if (guard !== undefined && to !== undefined) expect(text).toContain(`[${guard}]`);
    expect(JSON.stringify(chart)).not.toContain('inline');
  });
});
