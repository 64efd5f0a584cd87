/**
 * `npm run fleet -- [--part outage|limit]`: 32 workers in four processes, each with gates and a NATS connection of its
 * own, before a provider that dies for 60 s, and before one with limits. Counted at the provider.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestNats, type TestNats } from '../support/nats.js';
import { randomFrom } from '../support/random.js';
import { type Counted, mostPerMinute, type Provider, startProvider, wallMs } from './providers/provider.js';
import type { Assignment, Told } from './providers-worker.js';

const { values } = parseArgs({ options: { part: { type: 'string' } } });
const [processes, workersEach] = [4, 8];
const program = fileURLToPath(new URL('providers-worker.js', import.meta.url));
const deadMs = 60_000;
/** Requests that were on their way when the breaker opened may come so much later. */
const underwayMs = 500;

class Fleet {
  readonly told: Told[] = [];
  readonly #children: ChildProcess[] = [];

  static async start(assignment: Omit<Assignment, 'workers'>): Promise<Fleet> {
    const fleet = new Fleet();
    await Promise.all(
      Array.from({ length: processes }, async (_, index) => {
        const child = fork(program);
        fleet.#children.push(child);
        const workers = Array.from({ length: workersEach }, (_, one) => `w${index}_${one}`);
        child.send({ ...assignment, workers } satisfies Assignment);
        await new Promise<void>((resolve, reject) => {
          child.on('message', (told: Told) => (told.kind === 'ready' ? resolve() : fleet.told.push(told)));
          child.once('exit', () => reject(new Error('a process of workers ended before it was ready')));
        });
      }),
    );
    return fleet;
  }

  turns = (message: string): number[] =>
    this.told.flatMap((told) => (told.kind === 'turn' && told.message === message ? [told.at] : []));
  calls = () => this.told.flatMap((told) => (told.kind === 'called' ? [told] : []));

  async kill(index: number): Promise<void> {
    const child = this.#children.splice(index, 1)[0];
    child?.kill('SIGKILL');
    if (child !== undefined) await once(child, 'exit');
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        const gone = once(child, 'exit');
        child.send('stop');
        await gone;
      }),
    );
  }
}

async function outage({ url, token }: TestNats): Promise<boolean> {
  const random = randomFrom(1);
  const [primary, backup] = [await startProvider(random), await startProvider(random)];
  const fleet = await Fleet.start({
    nats: { url, token },
    providers: [primary.url, backup.url],
    env: {},
    lanes: 2,
    thinkMs: 300,
  });
  await pause(5_000);
  primary.isAlive = false;
  const diedAt = wallMs();
  await pause(deadMs);
  primary.isAlive = true;
  const backAt = wallMs();
  // The window in which it came back may last a minute yet.
  while (fleet.turns('provider used again').length === 0 && wallMs() < backAt + 70_000) await pause(100);
  await pause(2_000);
  await fleet.stop();
  await Promise.all([primary.stop(), backup.stop()]);
  return reportOutage(fleet, primary, diedAt, backAt);
}

function reportOutage(fleet: Fleet, primary: Provider, diedAt: number, backAt: number): boolean {
  const openings = fleet.turns('provider left alone').sort((a, b) => a - b);
  const [closedAt = Number.POSITIVE_INFINITY] = fleet.turns('provider used again');
  const [openedAt = Number.POSITIVE_INFINITY] = openings;
  const within = (from: number, to: number) => primary.counted.filter(({ at }) => at > from && at <= to);
  // The last window ends with the reply to its probe: from then on others come, too.
  const firstReply = primary.replied.find((moment) => moment > backAt) ?? Number.POSITIVE_INFINITY;
  const windows = openings.map((at, index) => {
    const from = at + (index === 0 ? underwayMs : 0);
    return within(from, openings[index + 1] ?? firstReply).length;
  });
  const calls = fleet.calls();
  // Of every call that was under way when it died or began while it was dead.
  const failOver = calls
    .filter(({ from, to }) => to > diedAt && from < backAt)
    .map(({ from, to }) => to - Math.max(from, diedAt))
    .sort((a, b) => a - b);
  // Those that the end of the measurement cut off do not count.
  const lost = calls.filter(({ by }) => !by.startsWith('127.') && by !== 'cancelled').length;
  const worst = failOver.at(-1) ?? Number.POSITIVE_INFINITY;
  console.log(`${processes * workersEach} workers in ${processes} processes, provider dead for ${deadMs / 1000} s`);
  console.log(
    `opened for all after          ${(openedAt - diedAt).toFixed(0)} ms, ${within(diedAt, openedAt + underwayMs).length} requests until ${underwayMs} ms after that`,
  );
  console.log(`probes for each window        ${windows.join(', ')} (windows of ${spans([...openings, closedAt])} s)`);
  console.log(
    `calls while it was dead       ${failOver.length}, answered in ${at(failOver, 0.5)} ms (half of them), ${at(failOver, 0.99)} ms (99 %), ${worst.toFixed(0)} ms (the slowest)`,
  );
  console.log(`calls that came to nothing    ${lost} of ${calls.length}`);
  console.log(`used again by all             ${((closedAt - backAt) / 1000).toFixed(1)} s after it was back`);
  return windows.every((count) => count <= 1) && worst <= 1_000 && lost === 0;
}

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);

const spans = (moments: readonly number[]): string =>
  moments
    .slice(1)
    .map((moment, index) => ((moment - (moments[index] ?? 0)) / 1000).toFixed(1))
    .join(', ');

const limits = { requestsPerMinute: 300, tokensPerMinute: 90_000 };
const limitMs = 150_000;

/** Calls wait for room; in the middle of it one process of four is killed, and with it what its workers hold. */
async function limit({ url, token }: TestNats): Promise<boolean> {
  const provider = await startProvider(randomFrom(2));
  const name = new URL(provider.url).host;
  const fleet = await Fleet.start({
    nats: { url, token },
    providers: [provider.url],
    env: { HACT_PROVIDERS: JSON.stringify({ [name]: limits }) },
    lanes: 2,
    thinkMs: 100,
  });
  const startedAt = wallMs();
  await pause(limitMs / 2);
  await fleet.kill(0);
  await pause(limitMs / 2);
  await fleet.stop();
  await provider.stop();
  return reportLimit(fleet, provider.counted, startedAt);
}

function reportLimit(fleet: Fleet, counted: readonly Counted[], startedAt: number): boolean {
  const most = mostPerMinute(counted);
  const [requests, tokens] = [limits.requestsPerMinute, limits.tokensPerMinute];
  const minutes = [0, 1, 2].map((minute) => {
    const inMinute = counted.filter(({ at }) => Math.floor((at - startedAt) / 60_000) === minute);
    return `${inMinute.length} (${inMinute.reduce((sum, one) => sum + one.tokens, 0)} tokens)`;
  });
  const byWorker = new Map<string, number>();
  for (const { worker, by } of fleet.calls())
    if (by.startsWith('127.')) byWorker.set(worker, (byWorker.get(worker) ?? 0) + 1);
  const shares = [...byWorker.values()].sort((a, b) => a - b);
  console.log(
    `${processes * workersEach} workers, limit ${requests} requests and ${tokens} tokens a minute, one process of ${processes} killed after ${limitMs / 2000} s`,
  );
  console.log(
    `most in any sliding minute    ${most.requests} requests, ${most.tokens} tokens, by the provider's own count`,
  );
  console.log(`requests in each minute       ${minutes.slice(0, 2).join(', ')}, then ${minutes[2]} in 30 s`);
  console.log(`calls of one worker           ${shares[0]} to ${shares.at(-1)}, ${shares.length} workers served`);
  return most.requests <= requests && most.tokens <= tokens;
}

const nats = await startTestNats();
try {
  const passed = [];
  if (values.part !== 'limit') passed.push(await outage(nats));
  if (values.part !== 'outage') passed.push(await limit(nats));
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  await nats.stop();
}
