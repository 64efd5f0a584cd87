/** A whole installation for benchmarks: nats-server, a model with latency, and executors, each a `hact worker` of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect as connectNats, type NatsConnection } from 'nats';
import { type EmbeddedServer, startServer } from '../../src/bus/server.js';
import { type Connection, connect, type Submission } from '../../src/index.js';
import type { Asked, Brain, Reply } from '../../src/llm/scripted/brain.js';
import { type ScriptedModel, startScriptedModel } from '../../src/llm/scripted/server.js';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const lookMs = 25;
const patienceMs = 30_000;

export interface FleetOptions {
  readonly latencyMs: number;
  /** Model calls of one task. */
  readonly rounds: number;
  /** Agents at work at once, of one process. */
  readonly concurrency: number;
}

export interface Outcome {
  readonly tenant: string;
  readonly ms: number;
  /** ms of this process's clock. */
  readonly endedAt: number;
}

interface Member {
  readonly child: ChildProcess;
  readonly gone: Promise<void>;
}

export class Fleet {
  /** How often each task's record was stored as ended, and how often the model was asked for it. */
  readonly ended = new Map<string, number>();
  readonly asked: ReadonlyMap<string, number>;
  readonly #members: Member[] = [];
  #client: Connection | undefined;

  private constructor(
    private readonly options: FleetOptions,
    private readonly folder: string,
    private readonly nats: EmbeddedServer,
    private readonly model: ScriptedModel,
    private readonly listener: NatsConnection,
    asked: ReadonlyMap<string, number>,
  ) {
    this.asked = asked;
  }

  static async open(options: FleetOptions): Promise<Fleet> {
    const folder = mkdtempSync(join(tmpdir(), 'hact-fleet-'));
    mkdirSync(join(folder, 'files'));
    const nats = await startServer({ folder: join(folder, 'nats'), env: process.env });
    if (!nats.ok) throw new Error(nats.failure.message);
    const asked = new Map<string, number>();
    const model = await startScriptedModel({ brain: brainOf(options.rounds, asked), latencyMs: options.latencyMs });
    const listener = await connectNats({ servers: nats.value.url, token: nats.value.token });
    const fleet = new Fleet(options, folder, nats.value, model, listener, asked);
    listener.subscribe('hact.v1.kv.task.*', {
      callback: (_, { subject, data }) => {
        const { state } = JSON.parse(Buffer.from(data).toString() || '{}') as { state?: string };
        const taskId = subject.slice(subject.lastIndexOf('.') + 1);
        if (state === 'ended') fleet.ended.set(taskId, (fleet.ended.get(taskId) ?? 0) + 1);
      },
    });
    const { url, token } = nats.value;
    fleet.#client = await connect({ settings: { 'nats.url': url, 'nats.token': token, 'log.level': 'silent' } });
    return fleet;
  }

  get size(): number {
    return this.#members.length;
  }

  get client(): Connection {
    if (this.#client === undefined) throw new Error('the fleet is not open');
    return this.#client;
  }

  /** Starts so many executors and waits until they say that they live. */
  async grow(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) this.#members.push(this.#start());
    await this.#counted(this.size);
  }

  /** Ends the oldest ones in good order, and waits until they are gone. */
  async shrink(count: number): Promise<void> {
    const leaving = this.#members.splice(0, count);
    for (const { child } of leaving) child.kill('SIGTERM');
    await Promise.all(leaving.map(({ gone }) => gone));
  }

  /** Submits one task and waits for its result; undefined when there is none. */
  async run(tenant: string, more: Partial<Submission> = {}): Promise<Outcome | undefined> {
    const begun = performance.now();
    const goal = `Look around for ${tenant}.`;
    const accepted = await this.client.submit({ goal, role: 'executor', tenant, budget: { rounds: 50 }, ...more });
    if (!accepted.ok) throw new Error(accepted.failure.message);
    const result = await this.client.result(accepted.value.taskId, AbortSignal.timeout(10 * patienceMs));
    const endedAt = performance.now();
    const isDone = result.ok && result.value.report?.status === 'done';
    return isDone ? { tenant, ms: endedAt - begun, endedAt } : undefined;
  }

  async close(): Promise<void> {
    await this.shrink(this.size);
    await this.#client?.close();
    await this.listener.close();
    await this.model.stop();
    await this.nats.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #counted(count: number): Promise<void> {
    for (const since = performance.now(); performance.now() - since < patienceMs; await pause(lookMs)) {
      const living = await this.client.workers();
      if (living.ok && living.value >= count) return;
    }
    throw new Error(`${count} workers were expected and did not come`);
  }

  #start(): Member {
    const { nats, model, folder, options } = this;
    const child = spawn(
      process.execPath,
      [main, 'worker', '--role', 'executor', '--concurrency', String(options.concurrency)],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        cwd: folder,
        env: {
          ...process.env,
          HACT_NATS_URL: nats.url,
          HACT_NATS_TOKEN: nats.token,
          HACT_MODEL_BASE_URL: model.url,
          HACT_MODEL: 'bench',
          HACT_FILES_ROOTS: join(folder, 'files'),
          HACT_LOG: 'warn',
        },
      },
    );
    return { child, gone: new Promise((resolve) => child.once('exit', () => resolve())) };
  }
}

/** Looks into a folder, a level deeper each time, until its last call, which finishes. */
const brainOf =
  (rounds: number, asked: Map<string, number>): Brain =>
  ({ conversation, messages }: Asked): Reply => {
    asked.set(conversation, (asked.get(conversation) ?? 0) + 1);
    const done = messages.filter(({ role }) => role === 'tool').length;
    return done < rounds - 1
      ? call('list_files', { depth: done + 1 })
      : call('finish', { result: 'looked', summary: 'looked' });
  };

const call = (name: string, args: object): Reply => ({
  kind: 'reply',
  message: {
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
  finishReason: 'tool_calls',
});

/** The value below which that share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
