/** The checker of the chaos, on histories made by hand: what must be refused, and what must not. */
import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../support/demo/ledger.js';
import { check } from './checker.js';
import type { History, TaskHistory } from './history.js';

const ended = (status: string, more: object = {}): string => JSON.stringify({ report: { status }, ...more });
const task = (more: Partial<TaskHistory> = {}): TaskHistory => ({
  key: 'k',
  ids: ['t1'],
  cancelled: false,
  results: [ended('done'), ended('done')],
  endedAt: 10_000,
  ...more,
});
const line = (event: LedgerLine['event'], at: number, more: Partial<LedgerLine> = {}): LedgerLine => ({
  event,
  at,
  pid: 7,
  agentId: 't1-1',
  callId: 'r1c1',
  tool: 'look',
  effect: 'read',
  ...more,
});
const history = (more: Partial<History> = {}): History => ({
  tasks: [task()],
  ledger: [line('began', 1_000), line('ended', 1_100)],
  replies: { t1: 3, 't1-1': 2 },
  disturbances: [],
  leftovers: [],
  budget: { rounds: 6, toolCalls: 3 },
  ...more,
});
const charge = { tool: 'charge', effect: 'unsafe' } as const;
const many = (count: number, more: Partial<LedgerLine> = {}): LedgerLine[] =>
  Array.from({ length: count }, (_, index) => line('began', 1_000 + index, { callId: `r${index}c1`, ...more }));
const decision = { agentId: 't1-1', callId: 'r1c1', allow: true, at: 999 };

describe('a history is refused', () => {
  it.each<[string, Partial<History>, string]>([
    ['of a task that nobody accepted', { tasks: [task({ ids: [], results: [] })] }, 'k was never accepted'],
    ['without a result', { tasks: [task({ results: [] })] }, 'k (t1) has no result'],
    [
      'with two results',
      { tasks: [task({ results: [ended('done'), ended('done', { endedAt: 2 })] })] },
      '2 different results',
    ],
    ['that one reader could not read', { tasks: [task({ results: [ended('done'), 'away'] })] }, 'ended as unreadable'],
    ['when one key became two tasks', { tasks: [task({ ids: ['t1', 't2'] })] }, 'became several tasks'],
    ['that failed', { tasks: [task({ results: [ended('failed')] })] }, 'ended as failed'],
    ['that was cancelled by nobody', { tasks: [task({ results: [ended('cancelled')] })] }, 'ended as cancelled'],
    [
      'of a cancelled task that failed',
      { tasks: [task({ cancelled: true, results: [ended('failed')] })] },
      'ended as failed',
    ],
    [
      'with an unsafe call begun twice',
      { ledger: [line('began', 1_000, charge), line('began', 5_000, charge)] },
      'began 2 times',
    ],
    [
      'with one begun twice, though its process was killed',
      {
        ledger: [line('began', 1_000, charge), line('began', 5_000, { ...charge, pid: 8 })],
        disturbances: [{ pid: 7, from: 1_050, to: 1_060 }],
      },
      'is unsafe and began 2 times',
    ],
    [
      'with a completed call begun again',
      { ledger: [line('began', 1_000), line('ended', 1_100), line('began', 3_000)] },
      'had ended at 1100',
    ],
    [
      'when only another process was disturbed',
      {
        ledger: [line('began', 1_000), line('ended', 1_100), line('began', 3_000)],
        disturbances: [{ pid: 8, from: 1_100, to: 2_000 }],
      },
      'had ended at 1100',
    ],
    [
      'when the disturbance came long after',
      {
        ledger: [line('began', 1_000), line('ended', 1_100), line('began', 9_000)],
        disturbances: [{ pid: 7, from: 8_000, to: 8_100 }],
      },
      'had ended at 1100',
    ],
    ['with more replies than rounds', { replies: { t1: 4, 't1-2': 3 } }, '7 model replies, of 6 granted'],
    ['with more tool calls than granted', { ledger: many(4) }, 'began 4 tool calls, of 3 granted'],
    ['with work after the end', { ledger: [line('began', 12_001)] }, 'began r1c1 look after the task had ended'],
    [
      'with a call that nobody allowed',
      { tasks: [task({ decisions: [] })] },
      'began r1c1 look, which nobody had allowed',
    ],
    [
      'that is partial though nothing was denied',
      { tasks: [task({ results: [ended('partial')] })] },
      'ended as partial',
    ],
    [
      'with one that was denied',
      { tasks: [task({ decisions: [{ ...decision, allow: false }] })] },
      'nobody had allowed',
    ],
    [
      'with one that began before',
      { tasks: [task({ decisions: [{ ...decision, at: 1_001 }] })] },
      'nobody had allowed',
    ],
    [
      'with one that another agent was allowed',
      { tasks: [task({ decisions: [{ ...decision, agentId: 't1' }] })] },
      'nobody had allowed',
    ],
    [
      'with work in a pause',
      { tasks: [task({ paused: { from: 1_000, to: 5_000 } })], ledger: [line('began', 4_500, { agentId: 't1' })] },
      'began r1c1 look while it was paused',
    ],
    [
      'that begins a second round in a pause, disturbed or not',
      {
        tasks: [task({ paused: { from: 1_000, to: 9_000 } })],
        ledger: [line('began', 5_000, { agentId: 't1' }), line('began', 6_000, { agentId: 't1', callId: 'r2c1' })],
        disturbances: [{ pid: 7, from: 1_300, to: 1_400 }],
      },
      'began r2c1 look while it was paused',
    ],
    [
      'with a call that killed more processes than it may',
      { ledger: many(6, { agentId: 't1-1', callId: 'r1c1', tool: 'crash' }), budget: { rounds: 6, toolCalls: 9 } },
      'crash began 6 times',
    ],
    ['with something left over', { leftovers: ['inbox of t1-1'] }, 'left over: inbox of t1-1'],
  ])('%s', (_, more, words) => {
    expect(
      check(history(more))
        .map((problem) => problem.words)
        .join('\n'),
    ).toContain(words);
  });
});

describe('a history is accepted', () => {
  it.each<[string, Partial<History>]>([
    ['that went as it should', {}],
    ['of a key that was sent twice', { tasks: [task({ ids: ['t1', 't1'] })] }],
    [
      'of a task that was cancelled',
      { tasks: [task({ cancelled: true, results: [ended('cancelled'), ended('cancelled')] })] },
    ],
    ['of a task that was done before it could be cancelled', { tasks: [task({ cancelled: true })] }],
    [
      'with calls of one name in several agents',
      { ledger: [line('began', 1, charge), line('began', 2, { ...charge, agentId: 't1-2' })] },
    ],
    [
      'with a call under way that was made again',
      { ledger: [line('began', 1_000), line('began', 3_000, { pid: 8 }), line('ended', 3_100, { pid: 8 })] },
    ],
    [
      'with a completed call whose process died before the record of it',
      {
        ledger: [line('began', 1_000), line('ended', 1_100), line('began', 3_000, { pid: 8 })],
        disturbances: [{ pid: 7, from: 1_300, to: 1_400 }],
      },
    ],
    [
      'with one that ended while its process was cut off',
      {
        ledger: [line('began', 1_000), line('ended', 1_100), line('began', 3_000, { pid: 8 })],
        disturbances: [{ pid: 7, from: 200, to: 4_000 }],
      },
    ],
    [
      'with one that ended as the server was killed',
      {
        ledger: [line('began', 1_000), line('ended', 1_100), line('began', 3_000)],
        disturbances: [{ pid: 0, from: 1_090, to: 1_095 }],
      },
    ],
    [
      'with one whose process was taken along by a poisonous call',
      {
        ledger: [
          line('began', 1_000),
          line('ended', 1_100),
          line('began', 1_900, { callId: 'r9c1', tool: 'crash' }),
          line('began', 3_000, { pid: 8 }),
        ],
      },
    ],
    ['with all of the budget spent', { replies: { t1: 6 }, ledger: many(3) }],
    ['whose neighbour spent more', { replies: { t1: 1, t12: 100 } }],
    ['with a tool that was stopped by the end', { ledger: [line('began', 11_900)] }],
    [
      'that is partial because something was denied',
      {
        tasks: [
          task({ results: [ended('partial')], decisions: [{ ...decision, callId: 'r1c2', allow: false }, decision] }),
        ],
      },
    ],
    ['with a call that was allowed before it began', { tasks: [task({ decisions: [decision] })] }],
    [
      'with one that was denied and did not begin',
      { tasks: [task({ decisions: [{ ...decision, callId: 'r1c2', allow: false }, decision] })] },
    ],
    [
      'with a child at work in a pause, and a parent before it was heard',
      {
        tasks: [task({ paused: { from: 1_000, to: 4_000 } })],
        ledger: [
          line('began', 3_500),
          line('began', 3_900, { agentId: 't1' }),
          line('began', 4_001, { agentId: 't1', callId: 'r2c1' }),
        ],
      },
    ],
    [
      'with a round under way that goes on in a pause',
      {
        tasks: [task({ paused: { from: 1_000, to: 9_000 } })],
        ledger: [
          line('began', 900, { agentId: 't1', callId: 'r2c1' }),
          line('began', 5_000, { agentId: 't1', callId: 'r2c2' }),
        ],
      },
    ],
    [
      'with a round that begins late, since its process had died',
      {
        tasks: [task({ paused: { from: 1_000, to: 9_000 } })],
        ledger: [line('began', 5_000, { agentId: 't1' })],
        disturbances: [{ pid: 7, from: 1_300, to: 1_400 }],
      },
    ],
    [
      'with a call that killed as many processes as it may',
      { ledger: many(5, { callId: 'r1c1', tool: 'crash' }), budget: { rounds: 6, toolCalls: 9 } },
    ],
    ['with a call that failed and was made again', { ledger: [line('began', 1), line('failed', 2), line('began', 3)] }],
  ])('%s', (_, more) => {
    expect(check(history(more))).toEqual([]);
  });
});
