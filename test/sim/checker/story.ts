/** Words for small histories, so that a case of the checker's own tests is a few of them. Times are ms. */
import type { Line } from './read.js';

type Fields = Readonly<Record<string, unknown>>;
const line = (at: number, kind: string, fields: Fields): Line => ({ at, kind, ...fields });

const ample = { rounds: 10, tokens: 10_000, costUsd: 1, toolCalls: 5, children: 3, seconds: 30 };

export const t1 = 'tsk_1';
export const child = 'tsk_1-1';

export const sent = (at: number, more: Fields = {}) =>
  line(at, 'client.sent', { key: 'k1', role: 'planner', budget: ample, approval: 'risky', ...more });
export const granted = (at: number, budget: Partial<typeof ample>, more: Fields = {}) =>
  sent(at, { budget: { ...ample, ...budget }, ...more });
export const accepted = (at: number, more: Fields = {}) =>
  line(at, 'client.accepted', { key: 'k1', task: t1, ...more });
export const result = (at: number, more: Fields = {}) =>
  line(at, 'client.read', {
    task: t1,
    state: 'ended',
    hash: 'h1',
    status: 'done',
    termination: 'finished',
    evidence: [],
    ...more,
  });
export const misread = (at: number, failure: string, more: Fields = {}) =>
  line(at, 'client.misread', { task: t1, failure, ...more });
export const steering = (at: number, what: string) => line(at, 'client.steering', { task: t1, what });
export const cancelled = (at: number) => line(at, 'client.steered', { task: t1, what: 'cancel', outcome: 'ok' });
export const asked = (at: number, more: Fields = {}) =>
  line(at, 'model.asked', { task: t1, agent: t1, process: 'w1', job: 'task1', input: 100, max: 100, ...more });
export const answered = (at: number, more: Fields = {}) =>
  line(at, 'model.answered', {
    task: t1,
    agent: t1,
    process: 'w1',
    reply: 'calls',
    input: 100,
    output: 10,
    cost: 0.01,
    ...more,
  });
export const started = (at: number, more: Fields = {}) =>
  line(at, 'tool.started', {
    ...{
      task: t1,
      agent: t1,
      call: 'r1c1',
      tool: 'pay',
      process: 'w1',
      effect: 'unsafe',
      key: `${t1}.r1c1`,
      args: { n: 1 },
    },
    ...more,
  });
export const finished = (at: number, more: Fields = {}) =>
  line(at, 'tool.finished', { task: t1, agent: t1, call: 'r1c1', tool: 'pay', process: 'w1', ok: true, ...more });
export const appended = (at: number, seq: number, after: number, epoch: number, more: Fields = {}) =>
  line(at, 'server.appended', {
    process: 'w1',
    agent: t1,
    seq,
    after,
    epoch,
    record: 'step',
    events: [],
    settled: [],
    ...more,
  });
/** A model call, and the record of what it used: 100 and 10 tokens. */
export const used = (at: number, more: Fields = {}): Line[] => [
  asked(at, more),
  answered(at + 1, more),
  appended(at + 2, 1, 0, 1, { used: [{ input: 100, output: 10 }], state: 'act', ...more }),
];
export const snapshot = (at: number, seq: number, more: Fields = {}) =>
  line(at, 'server.snapshot', { agent: t1, seq, ended: false, ...more });
export const ended = (at: number, more: Fields = {}) => line(at, 'server.task', { task: t1, state: 'ended', ...more });
export const request = (at: number, more: Fields = {}) =>
  line(at, 'human.asked', {
    request: `apr_${t1}_r1c1`,
    task: t1,
    agent: t1,
    call: 'r1c1',
    tool: 'wipe',
    args: { n: 1 },
    ...more,
  });
export const deciding = (at: number, allow: boolean) =>
  line(at, 'human.deciding', { request: `apr_${t1}_r1c1`, allow });
export const decided = (at: number, allow: boolean, outcome = 'ok') =>
  line(at, 'human.decided', { request: `apr_${t1}_r1c1`, allow, outcome });
export const fault = (at: number, name: string, more: Fields = {}) =>
  line(at, 'fault', { fault: name, process: 'w1', ms: 0, ...more });
export const healed = (at: number) => line(at, 'healed', {});
export const bug = (at: number) => line(at, 'bug', { where: 'w1: bug', error: 'TypeError' });
export const over = (at: number, more: Fields = {}) =>
  line(at, 'end', { waiting: 0, queued: 0, inbox: 0, leases: 0, ...more });

/** An idempotent call that w2 recorded after it had replaced w1, and that w1 begins again at 5,000. */
export const replaced = (...between: Line[]): Line[] =>
  task(
    appended(15, 1, 0, 1),
    appended(30, 2, 1, 2, { settled: ['r1c1'], process: 'w2' }),
    ...between.filter(({ at }) => at <= 5_000),
    started(5_000, note),
    ...between.filter(({ at }) => at > 5_000),
  );

export const wipe = { tool: 'wipe' };
export const note = { tool: 'note', effect: 'idempotent' };
/** A task that was accepted and ended. */
export const task = (...between: Line[]): Line[] => [sent(0), accepted(10), ...between, result(20_000), over(25_000)];

export const kid = { agent: child };
export const parts = (...subtasks: { name: string; after: string[] }[]) =>
  answered(20, { reply: 'delegates', subtasks });
export const epochs = (...numbers: number[]) =>
  numbers.map((epoch, index) => appended(20 + index, index + 1, index, epoch, { process: `w${epoch}` }));
