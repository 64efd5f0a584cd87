/**
 * A server's store whose bytes changed while it was down: `npm run damaged-store [-- --seed S] [--only WORD]` lets tasks end and others
 * wait for people's leave, stops everything, damages the files of one stream, starts again, gives leave to whoever asks,
 * and prints what became of the tasks. Exit code 1 when one has no end or another one than before, or was done twice.
 */
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { defineAgent, defineTool, startWorker, type WorkerHandle } from '../../src/index.js';
import { randomFrom } from './random.js';
import { startTestModel, type TestModel } from './rule-model.js';

const finished = 8;
const waiting = 4;
/** Of a task; what lost its way ends then. */
const deadlineSeconds = 40;
const patienceMs = 150_000;
const streams = ['JOURNAL', 'INBOX', 'TASK', 'AGENT'] as const;
const damages = ['flip', 'cut', 'delete'] as const;
type Damage = (typeof damages)[number];

export interface Aftermath {
  readonly stream: string;
  readonly damage: Damage;
  /** How many of the tasks that had ended, and of those that had not, ended how. */
  readonly finished: Readonly<Record<string, number>>;
  readonly waiting: Readonly<Record<string, number>>;
  /** Results that are not what they were. */
  readonly changed: number;
  /** Unsafe calls that were made twice. */
  readonly twice: number;
  readonly open: number;
  readonly seconds: number;
}

interface Scene {
  readonly folder: string;
  readonly model: TestModel;
  /** Items as the tool outside has noted them. */
  readonly noted: number[];
}

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, only: { type: 'string' } } });
let failed = false;
for (const stream of streams) {
  for (const damage of damages) {
    if (values.only !== undefined && `${stream}-${damage}` !== values.only) continue;
    const aftermath = await tryOut(stream, damage, Number(values.seed));
    console.log(JSON.stringify(aftermath));
    failed ||= aftermath.changed + aftermath.twice + aftermath.open > 0;
  }
}
process.exit(failed ? 1 : 0);

async function tryOut(stream: string, damage: Damage, seed: number): Promise<Aftermath> {
  const folder = await mkdtemp(join(tmpdir(), 'hact-damaged-'));
  const model = await startTestModel(({ round, text }) =>
    round > 0 ? { say: 'The item is noted.' } : { calls: [['note', { n: Number(/item (\d+)/.exec(text)?.[1]) }]] },
  );
  const scene: Scene = { folder, model, noted: [] };
  const { tasks, reports } = await workBefore(scene);
  await spoil(folder, stream, damage, seed);
  const began = performance.now();
  const after = await workAfter(scene, tasks);
  await model.close();
  await rm(folder, { recursive: true, force: true });
  return {
    stream,
    damage,
    finished: counted(after.slice(0, finished).map(({ outcome }) => outcome)),
    waiting: counted(after.slice(finished).map(({ outcome }) => outcome)),
    changed: reports.filter((report, index) => after[index]?.report !== report).length,
    twice: scene.noted.length - new Set(scene.noted).size,
    open: after.filter(({ report }) => report === undefined).length,
    seconds: Math.round((performance.now() - began) / 1000),
  };
}

function start({ folder, model, noted }: Scene): Promise<WorkerHandle> {
  const note = defineTool({
    name: 'note',
    description: 'Notes an item.',
    parameters: {
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
      additionalProperties: false,
    },
    effect: 'unsafe',
    confirm: true,
    run: async ({ n }) => `noted ${noted.push(Number(n))}`,
  });
  return startWorker({
    startServer: true,
    roles: ['clerk'],
    agents: [defineAgent({ name: 'clerk', instructions: 'Note the item.', tools: [note] })],
    settings: {
      dataDir: folder,
      'model.baseUrl': model.url,
      'model.name': 'rules',
      'model.apiKey': 'none',
      'log.level': 'silent',
    },
  });
}

/** The first tasks end, the others ask for leave. */
async function workBefore(scene: Scene): Promise<{ tasks: string[]; reports: string[] }> {
  const worker = await start(scene);
  const tasks: string[] = [];
  for (let n = 0; n < finished + waiting; n += 1) {
    const accepted = await worker.client.submit({
      goal: `note item ${n}`,
      role: 'clerk',
      permission: { approval: n < finished ? 'auto' : 'risky' },
      budget: { seconds: deadlineSeconds },
    });
    if (!accepted.ok) throw new Error(accepted.failure.message);
    tasks.push(accepted.value.taskId);
  }
  const ended = await Promise.all(tasks.slice(0, finished).map((id) => worker.client.result(id)));
  while ((await asking(worker)).length < waiting) await pause(50);
  await worker.stop();
  return { tasks, reports: ended.map((one) => JSON.stringify(one.ok ? one.value.report : one.failure)) };
}

async function workAfter(scene: Scene, tasks: readonly string[]): Promise<{ outcome: string; report?: string }[]> {
  const worker = await start(scene);
  const outcomes = () =>
    Promise.all(
      tasks.map(async (id) => {
        const got = await worker.client.get(id);
        if (!got.ok) return { outcome: got.failure.kind };
        const { report, state } = got.value;
        if (report === undefined) return { outcome: state };
        const { error, status } = report;
        return { outcome: error === undefined ? status : `${status} ${error.kind}`, report: JSON.stringify(report) };
      }),
    );
  for (const until = performance.now() + patienceMs; ; ) {
    for (const id of await asking(worker)) await worker.client.approve(id);
    const now = await outcomes();
    if (now.every(({ report }) => report !== undefined) || performance.now() > until) {
      await worker.stop();
      return now;
    }
    await pause(500);
  }
}

async function asking({ client }: WorkerHandle): Promise<string[]> {
  const asked = await client.approvals();
  return asked.ok ? asked.value.requests.map(({ id }) => id) : [];
}

function counted(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

async function spoil(folder: string, stream: string, damage: Damage, seed: number): Promise<void> {
  const random = randomFrom(seed);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.parentPath.includes(stream)) continue;
    const path = join(entry.parentPath, entry.name);
    if (damage === 'delete' && entry.isFile()) await rm(path);
    if (!entry.name.endsWith('.blk')) continue;
    const bytes = damage === 'delete' ? Buffer.alloc(0) : await readFile(path);
    if (bytes.length === 0) continue;
    if (damage === 'cut') await truncate(path, Math.floor(bytes.length * random()));
    for (let bits = 0; damage === 'flip' && bits < 3; bits += 1) {
      const place = Math.floor(bytes.length * random());
      bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(8 * random()));
      await writeFile(path, bytes);
    }
  }
}
