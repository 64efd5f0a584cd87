import { describe, expect, it } from 'vitest';
import { createWitness, survivals } from '../../src/cli/demo/survived.js';
import { readCells, readTable } from '../../src/cli/demo/table-file.js';
import { verify } from '../../src/cli/demo/verify.js';
import { eventLine } from '../../src/cli/event-line.js';
import { exitOfFailure, exitOfReport } from '../../src/cli/exit.js';
import { rootsFor } from '../../src/cli/input.js';
import { resultJson } from '../../src/cli/result.js';
import { flagsAgain, secretVariables } from '../../src/cli/settings.js';
import { clip, columnsOf, oneLine, pad, short, shortDuration, styleFor } from '../../src/cli/style.js';
import { treeLines } from '../../src/cli/tree-view.js';
import { emptyTree, grow } from '../../src/control/tree.js';
import { failure } from '../../src/domain/failure.js';
import type { AgentId, ApprovalId, RoleName, TaskId } from '../../src/domain/id.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import { noUsage } from '../../src/domain/usage.js';
import { eventOf, reportOf } from '../control/support.js';

const taskId = 'tsk_A' as TaskId;
const plain = styleFor(false);
const amounts = { rounds: 12, tokens: 40_000, costUsd: 0.5, toolCalls: 9, children: 9 };

describe('text on a terminal', () => {
  it('is measured in columns', () => {
    expect(columnsOf('abc')).toBe(3);
    expect(columnsOf('上海 é')).toBe(6);
    expect(columnsOf('e\u0301')).toBe(1);
    expect(columnsOf('🚀')).toBe(2);
  });

  it('is cut and filled to a width without halving a character', () => {
    expect(clip('上海北京', 5)).toBe('上海…');
    expect(clip('上海北京', 4)).toBe('上…');
    expect(clip('abc', 3)).toBe('abc');
    expect(clip('abc', 0)).toBe('');
    expect(columnsOf(pad('上海北京', 6))).toBe(6);
    expect(pad('ab', 4)).toBe('ab  ');
  });

  it('cannot draw on the screen by itself', () => {
    expect(oneLine('a\u001b[2Jb\r\n\tc\u0007')).toBe('a [2Jb c');
  });

  it('shows sizes and times shortly', () => {
    expect([812, 9_990, 31_400, 1_250_000].map(short)).toEqual(['812', '9.9k', '31k', '1.2M']);
    expect([45, 300, 5_400, 7_200].map(shortDuration)).toEqual(['45s', '5m', '1h 30m', '2h']);
  });
});

describe('the exit code', () => {
  const of = (changes: Parameters<typeof reportOf>[1]) => exitOfReport(reportOf(taskId, changes));
  it.each([
    [{ status: 'done' }, 0],
    [{ status: 'failed', termination: 'failed' }, 1],
    [{ status: 'partial', termination: 'no_progress' }, 1],
    [{ status: 'exhausted', termination: 'tokens_exhausted' }, 3],
    [{ status: 'exhausted', termination: 'deadline_passed' }, 124],
    [{ status: 'partial', termination: 'denied' }, 4],
    [{ status: 'cancelled', termination: 'cancelled' }, 7],
    [{ status: 'failed', termination: 'failed', error: failure('model_unreachable', 'x') }, 6],
    [{ status: 'failed', termination: 'failed', error: failure('model_unauthorised', 'x') }, 6],
    [{ status: 'unknown', termination: 'failed' }, 1],
  ] as const)('of %j is %d', (changes, code) => {
    expect(of(changes as Parameters<typeof reportOf>[1])).toBe(code);
  });

  it('of failures follows their kind', () => {
    expect(
      ['invalid_request', 'invalid_config', 'not_found', 'conflict', 'too_large', 'bus_unreachable', 'internal'].map(
        (kind) => exitOfFailure(failure(kind as 'internal', 'x')),
      ),
    ).toEqual([2, 2, 2, 2, 2, 5, 1]);
  });
});

describe('the tree', () => {
  const child = `${taskId}-1` as AgentId;
  const events = [
    eventOf(taskId, 'started', { goal: 'g', depth: 0, granted: amounts }),
    eventOf(
      taskId,
      'started',
      { goal: 'profile', depth: 1, granted: amounts, parent: taskId as never },
      { agentId: child, role: 'executor' as RoleName },
    ),
    eventOf(
      taskId,
      'moved',
      {
        state: 'act',
        cause: 'done.decide',
        detail: 'write_file 报告.md',
        remaining: amounts,
        usage: { ...noUsage, inputTokens: 20_000 },
        repairs: 2,
      },
      { agentId: child, role: 'executor' as RoleName, round: 2 },
    ),
    eventOf(
      taskId,
      'asked',
      {
        request: {
          v: 1,
          kind: 'approval',
          id: 'apr_19' as ApprovalId,
          taskId,
          agentId: child,
          role: 'executor' as RoleName,
          priority: 'normal',
          callId: 'c',
          askedAt: 1,
          tool: 'write_file',
          arguments: { path: '报告.md' },
          hash: 'h',
        },
      },
      { agentId: child },
    ),
  ];
  const tree = events.reduce((grown, event, at) => grow(grown, event, at + 1), emptyTree(taskId));
  const look = { columns: 100, style: plain, now: 1_790_000_001_500, command: 'hact' };

  it('shows state, detail, budget, round and what humans are asked', () => {
    const lines = treeLines(tree, look);
    expect(lines[0]).toMatch(/^planner +queued +g +░{10} 0\/40k +\$0\.00 +round 0\/12 +1\.5 s$/);
    expect(lines[1]).toMatch(/^└─ executor-1 act +write_file 报告\.md +█{5}░{5} 20k\/40k +\$0\.00 +round 2\/12/);
    expect(lines[2]).toContain('write_file 报告.md NEEDS APPROVAL → hact approve apr_19');
    expect(lines[3]).toBe('! repaired 2 model outputs');
  });

  it('shows the plan where steps wait, follow others or are tried again, and a grant that was raised', () => {
    const agentId = (n: number) => `${taskId}-${n}` as AgentId;
    const planned = grow(
      tree,
      eventOf(taskId, 'moved', {
        state: 'parked',
        cause: 'child.reported',
        detail: '',
        remaining: amounts,
        usage: noUsage,
        repairs: 0,
        granted: { ...amounts, rounds: 30 },
        plan: [
          { agentId: agentId(1), name: '上海', dependsOn: [], state: 'running', attempt: 2 },
          { agentId: agentId(2), name: 'report', dependsOn: [agentId(1)], state: 'waiting' },
        ],
      }),
      99,
    );
    const lines = treeLines(planned, look);
    expect(lines[0]).toContain('round 0/30');
    expect(lines[1]).toContain('plan: 上海 running (try 2) · report waiting after 上海');
    expect(treeLines(tree, look).join()).not.toContain('plan:');
  });

  it('never is wider than the screen', () => {
    for (const columns of [40, 80, 200]) {
      const widths = treeLines(tree, { ...look, columns }).map(columnsOf);
      expect(Math.max(...widths), String(columns)).toBeLessThanOrEqual(Math.max(columns, 70));
    }
  });

  it('says that it waits for a worker before the first event', () => {
    expect(treeLines(emptyTree(taskId), look)).toEqual(['queued: no worker has taken the task yet']);
  });

  it('is told line by line in a pipe', () => {
    const lines = events.map((event) => eventLine(event, plain, 'hact'));
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d executor-1 +started +profile$/);
    expect(lines[3]).toContain('hact approve apr_19');
    const silent = eventOf(taskId, 'moved', {
      state: 'act',
      cause: 'x',
      detail: '',
      remaining: amounts,
      usage: noUsage,
      repairs: 0,
    });
    expect(eventLine(silent, plain, 'hact')).toBeUndefined();
  });
});

describe('what a command hands on', () => {
  it('is its flags again, with secrets in the environment only', () => {
    const flags = { budgetTokens: '100', natsToken: 'secret', configFile: 'x.json', json: true };
    expect(flagsAgain(flags)).toEqual(['--budget-tokens=100', '--config-file=x.json']);
    expect(secretVariables(flags)).toEqual({ HACT_NATS_TOKEN: 'secret' });
  });

  it('opens the folders of files that lie outside the roots', () => {
    expect(rootsFor(['/job/a.csv', '/data/b.csv', '/data/c.csv', '/jobber/d'], ['/job'])).toEqual([
      '/job',
      '/data',
      '/jobber',
    ]);
  });

  it('is the JSON result with its children', () => {
    const report = reportOf(taskId, {
      status: 'failed',
      error: failure('tool_timeout', 'slow', 'wait'),
      children: [reportOf(taskId)],
    });
    expect(resultJson(report)).toMatchObject({
      v: 1,
      status: 'failed',
      error: { kind: 'tool_timeout', message: 'slow', retryable: true },
      children: [{ status: 'done', children: [] }],
    });
  });
});

describe('the end of the demo', () => {
  it('lists what was survived, from journals and feed', () => {
    const decided = (output: object): JournalRecord =>
      ({ kind: 'step', events: [{ type: 'xstate.done.actor.decide', output }] }) as unknown as JournalRecord;
    const records = [
      decided({ kind: 'calls', attempts: 2, repairs: ['other quotes'], rejected: [{ name: 'x', reason: 'repeated' }] }),
      decided({ kind: 'calls', attempts: 1, repairs: ['other quotes', 'cut'], rejected: [] }),
      decided({ kind: 'unreadable', attempts: 1, repairs: [], rejected: [] }),
      decided({ kind: 'failed', attempts: 1 }),
      { kind: 'step', events: [{ type: 'host.recovered' }] } as unknown as JournalRecord,
    ];
    const witness = createWitness();
    witness.see(eventOf(taskId, 'ended', { report: reportOf(taskId, { status: 'exhausted' }) }));
    expect(survivals(witness, records, { requests: 6, completed: 4, faults: 2, repeated: 0 })).toEqual([
      '1 agent taken over in mid-work from the process that was killed',
      '3 repairs to what the model wrote: 2 × other quotes; cut',
      '1 reply cut off inside a call: not run, asked for again',
      '1 request turned away with 429 and sent again',
      '1 reply broke off in mid-stream: asked for again',
      '1 call given twice in one reply: run once',
      '1 subtask ran out of its budget: reported what it had, planned anew',
      '1 process worked on it',
      'the model counted 6 requests, 4 answered, 2 failed on purpose, 0 answered twice',
    ]);
  });

  it('reads delimited text by itself', () => {
    expect(readCells('\uFEFFa;"b;c"\r\n1;"x ""y""\nz"\r\n\r\n;2')).toEqual([
      ['a', 'b;c'],
      ['1', 'x "y"\nz'],
      ['', '2'],
    ]);
  });

  it('reads JSON lines and web server logs by itself', () => {
    expect(readTable('{"a":1,"b":{"c":"x"}}\n{"a":null,"d":[1]}\nnot json\n')).toEqual({
      head: ['a', 'b.c', 'd'],
      rows: [
        ['1', 'x', ''],
        ['', '', '[1]'],
      ],
      rejected: 1,
      exact: true,
    });
    const log = '1.2.3.4 - ana [29/Nov/2026:10:22:03 +0800] "GET /a?x=1 HTTP/1.1" 200 17 "-" "curl" 0.25\nrubbish\n';
    const { head, rows, rejected } = readTable(log);
    expect(Object.fromEntries(head.map((name, at) => [name, rows[0]?.[at]]))).toMatchObject({
      host: '1.2.3.4',
      user: 'ana',
      time: '2026-11-29T10:22:03+08:00',
      hour: '10',
      path: '/a',
      query: 'x=1',
      status: '200',
      bytes: '17',
      response_time: '0.25',
    });
    expect(rejected).toBe(1);
  });

  it('finds the wrong number in a report', () => {
    const file = 'city,amount\nA,1.5\nB,2\nA,\n';
    const report = (sum: string) =>
      `# x\n\n3 rows, 2 columns, 0 rejected lines.\n\n## amount by city\n\n| city | sum(amount) | count |\n| --- | --- | --- |\n| A | ${sum} | 2 |\n| B | 2 | 1 |\n\nComputed with: \`aggregate_table {"group_by":["city"],"metrics":[{"op":"sum","column":"amount"},{"op":"count"}]}\`\n`;
    expect(verify(file, report('1.5'))).toMatchObject({ checked: 7, unchecked: 0, wrong: [] });
    expect(verify(file, report('1.6')).wrong).toEqual([
      expect.stringContaining('the report says 1.6, the file says 1.5'),
    ]);
  });
});
