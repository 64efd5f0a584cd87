/** A client process: submits until it is told that the task is accepted, steers, and waits for the result. Killed, it begins anew with what it had on disk. */
import { createHash } from 'node:crypto';
import { type Client, createClient } from '../../../src/control/client.js';
import type { Result } from '../../../src/domain/failure.js';
import type { TaskRecord } from '../../../src/domain/task.js';
import type { SimProcess } from '../kernel/process.js';
import type { Job, SteerKind } from '../scenario.js';
import { type Stage, start } from './stage.js';

/** What a client keeps on disk. */
interface Entry {
  readonly job: Job;
  taskId?: string;
  /** It has the result, or does not wait for one any more. */
  over: boolean;
  steered: number;
}

const fresh = (job: Job): Entry => ({ job, over: false, steered: 0 });

export class ClientSlot {
  process: SimProcess;
  private entries: readonly Entry[];
  private client!: Client;
  private lives = 0;

  constructor(
    private readonly stage: Stage,
    jobs: readonly Job[],
    private readonly restartMs: () => number,
  ) {
    this.entries = jobs.map(fresh);
    this.process = this.begin();
  }

  /** More work; what is over is forgotten. */
  take(jobs: readonly Job[]): void {
    const more = jobs.map(fresh);
    this.entries = [...this.entries.filter(({ over }) => !over), ...more];
    for (const entry of more) void this.attend(this.process, this.client, entry);
  }

  get isOver(): boolean {
    return this.entries.every(({ over }) => over);
  }

  get taskIds(): string[] {
    return this.entries.flatMap(({ taskId }) => taskId ?? []);
  }

  private begin(): SimProcess {
    this.lives += 1;
    const { process, control } = start(this.stage, `client_${this.lives}`);
    process.onDeath(() => {
      this.stage.world.after(this.restartMs(), () => {
        this.process = this.begin();
      });
    });
    this.client = createClient(control);
    for (const entry of this.entries) {
      if (!entry.over) void this.attend(process, this.client, entry);
    }
    return process;
  }

  private async attend(process: SimProcess, client: Client, entry: Entry): Promise<void> {
    const { world } = this.stage;
    await process.clock.sleep(Math.max(0, entry.job.atMs - world.time));
    if (entry.taskId === undefined) entry.taskId = await this.submit(process, client, entry.job);
    if (entry.taskId === undefined) {
      entry.over = true;
      return;
    }
    void this.steer(process, client, entry);
    await this.await(process, client, entry.taskId);
    entry.over = true;
    // Whoever reads later reads the same.
    for (const ms of [500, 2_500]) {
      await process.clock.sleep(ms);
      this.note(process, entry.taskId, await client.get(entry.taskId));
    }
  }

  private async submit(process: SimProcess, client: Client, job: Job): Promise<string | undefined> {
    const { history, world } = this.stage;
    const { key, goal, role, budget, approval, patienceMs } = job;
    const { costUsd, ...rest } = budget;
    const until = world.time + patienceMs;
    while (world.time < until) {
      history.add('client.sent', { process: process.name, key, role, budget, approval });
      const accepted = await client.submit({
        goal,
        role,
        budget: { ...rest, ...(costUsd > 0 && { costUsd }) },
        permission: { approval },
        idempotencyKey: key,
      });
      if (accepted.ok) {
        history.add('client.accepted', { process: process.name, key, task: accepted.value.taskId });
        return accepted.value.taskId;
      }
      history.add('client.refused', { process: process.name, key, failure: accepted.failure.kind });
      await process.clock.sleep(world.between(100, 1_500));
    }
    return undefined;
  }

  private async await(process: SimProcess, client: Client, taskId: string): Promise<void> {
    for (;;) {
      const record = await client.result(taskId);
      this.note(process, taskId, record);
      if (record.ok) return;
      await process.clock.sleep(500);
    }
  }

  private note(process: SimProcess, task: string, record: Result<TaskRecord>): void {
    if (!record.ok) {
      this.stage.history.add('client.misread', { process: process.name, task, failure: record.failure.kind });
      return;
    }
    const text = JSON.stringify(record.value);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const { state, report } = record.value;
    const about = { process: process.name, task, state, hash };
    this.stage.history.add('client.read', report === undefined ? about : { ...about, ...outcomeOf(report) });
  }

  private async steer(process: SimProcess, client: Client, entry: Entry): Promise<void> {
    const { history } = this.stage;
    for (const { what, afterMs } of entry.job.steering.slice(entry.steered)) {
      await process.clock.sleep(afterMs);
      entry.steered += 1;
      history.add('client.steering', { process: process.name, task: entry.taskId, what });
      const done = await steerings[what](client, entry.taskId ?? '');
      const outcome = done.ok ? 'ok' : done.failure.kind;
      history.add('client.steered', { process: process.name, task: entry.taskId, what, outcome });
    }
  }
}

const steerings: Record<SteerKind, (client: Client, taskId: string) => Promise<Result<unknown>>> = {
  pause: (client, taskId) => client.pause({ taskId, by: 'ana' }),
  resume: (client, taskId) => client.resume({ taskId, by: 'ana' }),
  correct: (client, taskId) => client.correct({ taskId, by: 'ana', text: 'use the other one', memory: { other: 1 } }),
  cancel: (client, taskId) => client.cancel({ taskId, by: 'ana' }),
  more: (client, taskId) => client.budget({ taskId, by: 'ana', budget: { rounds: 40, tokens: 200_000 } }),
  less: (client, taskId) => client.budget({ taskId, by: 'ana', budget: { rounds: 2, tokens: 3_000, toolCalls: 1 } }),
};

type Report = NonNullable<TaskRecord['report']>;

/** What the result claims, for the checker to hold against what was seen outside. */
function outcomeOf(report: Report) {
  const { status, termination, usage } = report;
  const used = { input: usage.inputTokens, output: usage.outputTokens };
  return { status, termination, used, evidence: evidenceOf(report) };
}

const evidenceOf = (report: Report): string[] => [
  ...report.evidence.map(({ agentId, callId, tool, status }) => `${agentId} ${callId} ${tool} ${status}`),
  ...report.children.flatMap(evidenceOf),
];
