/**
 * `npm run bench:plans -- [--plans N] [--seed S]`: plans of four steps whose subtasks fail as the seed says, once with a
 * planner that tries another way and once with one that only tries again. How many plans are completed, whether a step that
 * was done was done again, and whether repairs stayed within their bounds. Exit code 1 when they did not, or when other ways
 * complete less than twice as many plans.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { settingsSchema } from '../../src/config/settings.js';
import { defineAgent, defineTool, delegateTask, finish, startWorker, toolFailure } from '../../src/index.js';
import { randomFrom } from '../support/random.js';
import { type Reply, type Rule, startTestModel } from '../support/rule-model.js';

const { values } = parseArgs({
  options: { plans: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const plans = Number(values.plans);
const steps = ['s1', 's2', 's3', 's4'];
const atOnce = 10;
const wantedRatio = 2;

/** `slow start`: fails the first time. `this way`: fails by way A. */
type Fate = 'fine' | 'slow start' | 'this way' | 'hopeless';
const shares: readonly (readonly [Fate, number])[] = [
  ['hopeless', 0.08],
  ['this way', 0.28],
  ['slow start', 0.4],
  ['fine', 1],
];
const random = randomFrom(Number(values.seed));
const fates = Array.from({ length: plans }, () =>
  steps.map((): Fate => {
    const share = random();
    return shares.find(([, upTo]) => share < upTo)?.[0] ?? 'fine';
  }),
);

class World {
  readonly tries = new Map<string, number>();
  readonly done = new Set<string>();
  repeated = 0;

  work(plan: number, step: string, way: string): { readonly works: boolean; readonly tries: number } {
    const key = `${plan} ${step}`;
    const tries = (this.tries.get(key) ?? 0) + 1;
    this.tries.set(key, tries);
    if (this.done.has(key)) this.repeated += 1;
    const fate = fates[plan]?.[steps.indexOf(step)];
    const works = fate === 'fine' || (fate === 'slow start' && tries > 1) || (fate === 'this way' && way !== 'A');
    if (works) this.done.add(key);
    return { works, tries };
  }
}

const goalOf = (plan: number, step: string, way: string): string => `Do step ${step} of plan ${plan} by way ${way}.`;
const order = (plan: number, step: string, way: string, after: readonly string[] = []) =>
  [
    'delegate_task',
    { goal: goalOf(plan, step, way), name: step, ...(after.length > 0 && { depends_on: after }) },
  ] as const;

/** Tries of each step that the prompt reports: by their number, whether they worked. A prompt may say so more than once. */
function reportsIn(text: string): Map<string, Map<string, boolean>> {
  const found = new Map<string, Map<string, boolean>>(steps.map((step) => [step, new Map()]));
  for (const [, step = '', attempt = '', word] of text.matchAll(/Step (s\d), try (\d+), (worked|failed)/g))
    found.get(step)?.set(attempt, word === 'worked');
  return found;
}

const ways = ['A', 'B', 'C'];

/** How often each plan's model has ordered each step: what a model sees in its own earlier calls. */
class Memory {
  private readonly orders = new Map<string, number>();

  ordered(plan: number, step: string): number {
    return this.orders.get(`${plan} ${step}`) ?? 0;
  }

  order(plan: number, step: string, another: boolean, after: readonly string[] = []) {
    const tries = this.ordered(plan, step);
    this.orders.set(`${plan} ${step}`, tries + 1);
    return order(plan, step, another ? (ways[tries] ?? 'A') : 'A', after);
  }
}

/** @param another whether a step that failed is tried in another way */
function planner(plan: number, text: string, round: number, memory: Memory, another: boolean): Reply {
  if (round === 0)
    return { calls: steps.map((step) => memory.order(plan, step, another, step === 's4' ? ['s1'] : [])) };
  const reports = reportsIn(text);
  const tried = (step: string): boolean[] => [...(reports.get(step)?.values() ?? [])];
  const open = steps.filter((step) => !tried(step).includes(true));
  if (open.length === 0) return { calls: [['finish', { summary: 'all steps worked' }]] };
  // What waited for a step that failed was never begun.
  const isAbandoned = (step: string): boolean =>
    step === 's4' && tried('s1')[0] === false && memory.ordered(plan, step) === 1;
  const failed = open.filter((step) => tried(step).length >= memory.ordered(plan, step) || isAbandoned(step));
  const again = failed.filter((step) => memory.ordered(plan, step) < ways.length);
  if (again.length > 0) return { calls: again.map((step) => memory.order(plan, step, another)) };
  return failed.length < open.length
    ? { say: 'I wait for the others.' }
    : { calls: [['finish', { status: 'partial', summary: 'some steps failed' }]] };
}

function executor([, step = '', plan = '', way = '']: RegExpExecArray, text: string, round: number): Reply {
  if (round === 0) return { calls: [['work', { plan: Number(plan), step, way }]] };
  const [, attempt = '', word = ''] = /try (\d+) (worked|failed)/.exec(text) ?? [];
  const status = word === 'worked' ? 'done' : 'failed';
  return { calls: [['finish', { status, summary: `Step ${step}, try ${attempt}, ${word}` }]] };
}

function rule(another: boolean): Rule {
  const memory = new Memory();
  return ({ text, round, agentId }) => {
    const goal = agentId.includes('-') ? /Do step (s\d) of plan (\d+) by way (\w)/.exec(text) : null;
    if (goal !== null) return executor(goal, text, round);
    return planner(Number(/Carry out plan (\d+)/.exec(text)?.[1]), text, round, memory, another);
  };
}

interface Outcome {
  readonly completed: number;
  readonly repeated: number;
  /** Most tries of one step. */
  readonly tries: number;
}

async function play(another: boolean): Promise<Outcome> {
  const world = new World();
  const work = defineTool({
    name: 'work',
    description: 'does a step',
    parameters: z.object({ plan: z.int(), step: z.string(), way: z.string() }),
    effect: 'idempotent',
    retries: 0,
    run: ({ plan, step, way }) => {
      const { works, tries } = world.work(plan, step, way);
      if (works) return `try ${tries} worked`;
      throw toolFailure({ kind: 'not_found', message: `try ${tries} failed`, retryable: false });
    },
  });
  const model = await startTestModel(rule(another));
  const dataDir = mkdtempSync(join(tmpdir(), 'hact-plans-'));
  const worker = await startWorker({
    startServer: true,
    roles: ['planner', 'executor'],
    agents: [
      defineAgent({ name: 'planner', instructions: 'Delegate.', tools: [delegateTask, finish] }),
      defineAgent({ name: 'executor', instructions: 'Work.', tools: [work, finish] }),
    ],
    settings: { dataDir, 'model.baseUrl': model.url, 'model.name': 'scripted', 'log.level': 'silent' },
  });
  let completed = 0;
  let next = 0;
  const one = async (): Promise<void> => {
    for (let plan = next++; plan < plans; plan = next++) {
      const budget = { rounds: 200, tokens: 10_000_000, costUsd: 100, toolCalls: 200, children: 60, seconds: 600 };
      const accepted = await worker.client.submit({ goal: `Carry out plan ${plan}.`, role: 'planner', budget });
      if (!accepted.ok) throw new Error(accepted.failure.message);
      const ended = await worker.client.result(accepted.value.taskId);
      const isDone = ended.ok && ended.value.report?.status === 'done';
      if (isDone && steps.every((step) => world.done.has(`${plan} ${step}`))) completed += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  await worker.stop();
  await model.close();
  rmSync(dataDir, { recursive: true, force: true });
  return { completed, repeated: world.repeated, tries: Math.max(...world.tries.values()) };
}

const most = settingsSchema.parse({}).limits.subtaskAttempts;
const other = await play(true);
const same = await play(false);
for (const [name, { completed, repeated, tries }] of [
  ['tries another way', other],
  ['only tries again', same],
] as const)
  console.log(
    `a planner that ${name}: ${completed} of ${plans} plans completed; finished steps done again ${repeated}; ` +
      `one step at most ${tries} times (bound ${most})`,
  );
const ratio = other.completed / same.completed;
console.log(`${ratio.toFixed(2)} times as many`);
const isBounded = [other, same].every(({ repeated, tries }) => repeated === 0 && tries <= most);
process.exitCode = isBounded && ratio >= wantedRatio ? 0 : 1;
