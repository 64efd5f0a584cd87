/**
 * `npm run takeover -- [--kills N] [--seed S]`: how long agents stand still when the process that hosts them is killed, and
 * whether a step that was in their journal is missing afterwards. Told from outside: by the ledger of the tools.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { Stored } from '../../src/bus/contract.js';
import type { AgentId, RoleName } from '../../src/domain/id.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import { systemClock } from '../../src/observe/clock.js';
import { type LedgerLine, readLedger } from '../support/demo/ledger.js';
import { randomFrom } from '../support/random.js';
import { goalOf } from './brain.js';
import { type House, leaseMs, openHouse } from './house.js';
import { Tally } from './tally.js';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const kills = Number(values.kills);
/** Agents at work at any time. */
const width = 6;
/** Calls of one agent, one a round. */
const rounds = 60;
const executors = [1, 2, 3] as const;
const boundMs = leaseMs + 2_000;
const giveUpMs = 60_000;
const lookMs = 20;

interface Taken {
  readonly ms: number;
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
async function killOne(index: number, waitMs: number, house: House): Promise<Taken[]> {
  const { crew, ledger } = house;
  while (!crew.lives(index)) await systemClock.sleep(lookMs);
  const pid = crew.pid(index);
  const giveUpAt = systemClock.elapsed() + giveUpMs;
  while (hostedBy(pid, await readLedger(ledger)).length === 0 && systemClock.elapsed() < giveUpAt)
    await systemClock.sleep(lookMs);
  await systemClock.sleep(waitMs);
  const agents = hostedBy(pid, await readLedger(ledger));
  const before = await Promise.all(agents.map((agentId) => journalOf(house, agentId)));
  const killedAt = Date.now();
  void crew.kill(index);
  const taken = await Promise.all(
    agents.map((agentId, place) => takenOver(agentId, before[place] ?? [], killedAt, pid, house)),
  );
  return taken.filter((one) => one !== undefined);
}

/** Undefined for one that had just ended. */
async function takenOver(
  agentId: AgentId,
  before: readonly Stored<JournalRecord>[],
  killedAt: number,
  pid: number,
  house: House,
): Promise<Taken | undefined> {
  for (;;) {
    const lines = await readLedger(house.ledger);
    const first = lines.find((line) => line.agentId === agentId && line.pid !== pid && line.at >= killedAt);
    const ended = await house.runtime.client.get(agentId);
    if (first === undefined && ended.ok && ended.value.state === 'ended') return undefined;
    if (first === undefined && Date.now() - killedAt < giveUpMs) {
      await systemClock.sleep(lookMs);
      continue;
    }
    const after = await journalOf(house, agentId);
    const lost = before.filter((record, at) => !isDeepStrictEqual(record, after[at])).length;
    return { ms: (first?.at ?? Date.now()) - killedAt, steps: before.length, lost };
  }
}

const random = randomFrom(Number(values.seed));
const house = await openHouse(Number(values.seed), new Tally());
const stop = new AbortController();
const busy = Array.from({ length: width }, (_, n) => keepBusy(`w${n}`, house, stop.signal));
const taken: Taken[] = [];
for (let done = 0; done < kills; done += 1)
  taken.push(...(await killOne(executors[done % executors.length] ?? 1, Math.floor(random() * 300), house)));
stop.abort();
await Promise.all(busy);
await house.close();

const sorted = taken.map(({ ms }) => ms).sort((one, other) => one - other);
const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
const lost = taken.reduce((sum, one) => sum + one.lost, 0);
const steps = taken.reduce((sum, one) => sum + one.steps, 0);
console.log(`${kills} kills, ${taken.length} agents taken over, leases of ${leaseMs} ms`);
console.log(`next call after ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(1)} ms (longest); bound ${boundMs} ms`);
console.log(`records in the journals before: ${steps}, of which ${lost} were missing or changed after`);
process.exit(at(0.99) <= boundMs && lost === 0 ? 0 : 1);
