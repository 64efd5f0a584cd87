/**
 * `npm run takeover -- [--kills N] [--seed S] [--seconds N]`: how long agents stand still when the process that hosts them is killed, and
 * whether a step that was in their journal is missing afterwards. Told from outside: by the ledger of the tools.
 */
import { open } from 'node:fs/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { Stored } from '../../src/bus/contract.js';
import type { AgentId, RoleName } from '../../src/domain/id.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import { systemClock } from '../../src/observe/clock.js';
import type { LedgerLine } from '../support/demo/ledger.js';
import { randomFrom } from '../support/random.js';
import { goalOf } from './brain.js';
import { type House, leaseMs, openHouse } from './house.js';
import { Tally } from './tally.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    /** Of the whole measurement, at most. */
    seconds: { type: 'string', default: '900' },
  },
});
const kills = Number(values.kills);
const seconds = Number(values.seconds);
/** Agents at work at any time. */
const width = 6;
/** Calls of one agent, one a round. */
const rounds = 60;
const executors = [1, 2, 3] as const;
const boundMs = leaseMs + 2_000;
const giveUpMs = 60_000;
const lookMs = 20;
/** Whether an agent has ended is asked this much more rarely. */
const endedEvery = 25;

interface Taken {
  /** From the kill to the next call. */
  readonly ms: number;
  /** From the kill to the successor's first record. */
  readonly fencedMs: number;
  readonly steps: number;
  readonly lost: number;
}

/** One task after the other, each of one executor. */
async function keepBusy(name: string, { runtime }: House, signal: AbortSignal): Promise<void> {
  const budget = { rounds: 2 * rounds, toolCalls: 2 * rounds, tokens: 10_000_000, costUsd: 100, seconds: 3_600 };
  for (let count = 0; !signal.aborted; count += 1) {
    const work = {
      rounds: Array.from({ length: rounds }, (_, round) => [
        { tool: 'look' as const, key: `${name}.${count}.${round}` },
      ]),
    };
    const accepted = await runtime.client.submit({ goal: goalOf(work), role: 'executor' as RoleName, budget });
    if (accepted.ok) await runtime.client.result(accepted.value.taskId, signal);
    else await systemClock.sleep(200, signal);
  }
}

/** What the ledger says, read as it grows. */
class Watch {
  readonly lines: LedgerLine[] = [];
  readonly #path: string;
  #offset = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async look(): Promise<readonly LedgerLine[]> {
    const file = await open(this.#path, 'a+');
    const { size } = await file.stat();
    const bytes = Buffer.alloc(size - this.#offset);
    await file.read(bytes, 0, bytes.length, this.#offset);
    await file.close();
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    this.#offset += whole.length;
    for (const text of whole.toString().split('\n')) if (text !== '') this.lines.push(JSON.parse(text) as LedgerLine);
    return this.lines;
  }
}

/** Agents whose last call was made by that process. */
function hostedBy(pid: number, ledger: readonly LedgerLine[]): AgentId[] {
  const last = new Map(ledger.map((line) => [line.agentId, line]));
  return [...last].filter(([, line]) => line.pid === pid).map(([agentId]) => agentId as AgentId);
}

async function journalOf({ runtime }: House, agentId: AgentId): Promise<Stored<JournalRecord>[]> {
  for (;;) {
    const read = await runtime.bus.journal.read(agentId, 0);
    if (read.ok) return read.value;
  }
}

/** Kills the host of some agents; what became of each that had not ended. Its successor may still be on its way. */
async function killOne(index: number, waitMs: number, house: House, ledger: Watch): Promise<Taken[]> {
  const { crew } = house;
  while (!crew.lives(index)) await systemClock.sleep(lookMs);
  const pid = crew.pid(index);
  const giveUpAt = systemClock.elapsed() + giveUpMs;
  while (hostedBy(pid, await ledger.look()).length === 0 && systemClock.elapsed() < giveUpAt)
    await systemClock.sleep(lookMs);
  await systemClock.sleep(waitMs);
  const agents = hostedBy(pid, await ledger.look());
  const before = await Promise.all(agents.map((agentId) => journalOf(house, agentId)));
  const killedAt = Date.now();
  void crew.kill(index);
  const next = await nextCalls(agents, killedAt, pid, house, ledger);
  return Promise.all(
    agents.flatMap((agentId, place) => {
      const at = next.get(agentId);
      return at === 'ended' ? [] : [compare(agentId, before[place] ?? [], killedAt, at ?? Date.now(), house)];
    }),
  );
}

/** When each agent made its next call elsewhere, or that it had just ended; nothing for those that never did. */
async function nextCalls(
  agents: readonly AgentId[],
  killedAt: number,
  pid: number,
  { runtime }: House,
  ledger: Watch,
): Promise<Map<AgentId, number | 'ended'>> {
  const next = new Map<AgentId, number | 'ended'>();
  for (let looks = 1; next.size < agents.length && Date.now() - killedAt < giveUpMs; looks += 1) {
    await systemClock.sleep(lookMs);
    for (const line of (await ledger.look()).toReversed()) {
      if (line.at < killedAt) break;
      if (line.pid !== pid && agents.includes(line.agentId as AgentId)) next.set(line.agentId as AgentId, line.at);
    }
    if (looks % endedEvery !== 0) continue;
    for (const agentId of agents.filter((one) => !next.has(one))) {
      const record = await runtime.client.get(agentId);
      if (record.ok && record.value.state === 'ended') next.set(agentId, 'ended');
    }
  }
  return next;
}

async function compare(
  agentId: AgentId,
  before: readonly Stored<JournalRecord>[],
  killedAt: number,
  nextAt: number,
  house: House,
): Promise<Taken> {
  const after = await journalOf(house, agentId);
  const epoch = after.slice(before.length).find(({ value }) => value.kind === 'epoch');
  return {
    ms: nextAt - killedAt,
    fencedMs: (epoch?.value.at ?? nextAt) - killedAt,
    steps: before.length,
    lost: before.filter((record, at) => !isDeepStrictEqual(record, after[at])).length,
  };
}

const random = randomFrom(Number(values.seed));
const house = await openHouse(Number(values.seed), new Tally());
const ledger = new Watch(house.ledger);
const stop = new AbortController();
const busy = Array.from({ length: width }, (_, n) => keepBusy(`w${n}`, house, stop.signal));
const taken: Taken[] = [];
let done = 0;
for (
  const giveUpAt = systemClock.elapsed() + seconds * 1_000;
  done < kills && systemClock.elapsed() < giveUpAt;
  done += 1
) {
  const index = executors[done % executors.length] ?? 1;
  taken.push(...(await killOne(index, Math.floor(random() * 300), house, ledger)));
}
stop.abort();
await Promise.all(busy);
await house.close();

/** The value that this share of the times does not pass. */
function at(share: number, times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const spread = (times: readonly number[]): string =>
  `${at(0.5, times)} ms (p50), ${at(0.99, times)} ms (p99), ${at(1, times)} ms (longest)`;

const next = taken.map(({ ms }) => ms);
const lost = taken.reduce((sum, one) => sum + one.lost, 0);
const steps = taken.reduce((sum, one) => sum + one.steps, 0);
console.log(`${done} kills, ${taken.length} agents taken over, leases of ${leaseMs} ms`);
console.log(`taken over after ${spread(taken.map(({ fencedMs }) => fencedMs))}`);
console.log(`next call after ${spread(next)}; bound ${boundMs} ms`);
console.log(`records in the journals before: ${steps}, of which ${lost} were missing or changed after`);
process.exit(at(0.99, next) <= boundMs && lost === 0 ? 0 : 1);
