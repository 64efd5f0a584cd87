/**
 * Requests and tokens per minute of one provider, kept by all workers together. Each worker holds a part of the limit,
 * lets its own calls through against that, and takes or gives back parts by compare-and-set: under a steady load there is
 * no write per call. Calls are served in the order in which they came; workers that wait, in turn.
 */
import type { Failure } from '../../domain/failure.js';
import type { World } from '../world.js';
import {
  type Allowance,
  type Amount,
  allowanceSchema,
  fits,
  type Holding,
  least,
  nothing,
  plus,
  rebalanced,
  unusedMs,
  unusedWhileOthersWaitMs,
} from './allowance.js';
import type { FleetOptions } from './breaker.js';
import { type Cell, changeCell, type Kept, type Known, readKept } from './cell.js';
import { Ledger, windowMs } from './ledger.js';

export interface LimiterSetting {
  readonly provider: string;
  /** 0: no limit. */
  readonly limit: Amount;
  readonly cell: Cell;
  readonly world: World;
  /** Undefined: the whole limit is this process's. */
  readonly fleet: FleetOptions | undefined;
  readonly onFailure?: ((failure: Failure) => void) | undefined;
}

/** The right to send one request. One of the two, once. */
export interface Grant {
  /** The request ended; the provider may have counted so many tokens. */
  end(tokens: number): void;
  /** It was not sent. */
  giveBack(): void;
}

interface Waiter {
  readonly need: Amount;
  readonly serve: (grant: Grant | undefined) => void;
}

/** A call that may not wait hears after this time at the latest whether the others have room for it. */
const askMs = 1_000;
/** So long after a call was turned away, room is sought for its like. */
const wishMs = 2_000;
const tryAgainMs = 1_000;
/** A request of a worker that is gone may have reached the provider so long after its lease ended. */
const lateMs = 10_000;

export class Limiter {
  readonly #setting: LimiterSetting;
  readonly #ledger = new Ledger();
  readonly #queue: Waiter[] = [];
  readonly #seen = new Map<string, { beat: number; at: number }>();
  readonly #stop: () => void;
  #known: Known<Allowance> = { seq: 0, value: undefined };
  /** What may be used of what is held: less while a part is being given back. */
  #held: Amount;
  /** When this worker's sign of life that was stored last had been sent. */
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #usedAt = 0;
  #wish: { need: Amount; until: number } | undefined;
  #tryAt = 0;
  #syncing: Promise<void> | undefined;
  #timer: AbortController | undefined;
  #isClosed = false;

  constructor(setting: LimiterSetting) {
    const { cell, fleet, limit } = setting;
    this.#setting = setting;
    this.#held = fleet === undefined ? limit : nothing;
    this.#stop = fleet === undefined ? () => undefined : cell.watch((kept) => this.#hear(kept));
  }

  /** What a request with so many tokens takes of the limit. */
  needOf(tokens: number): Amount {
    const { limit } = this.#setting;
    return { requests: Math.min(1, limit.requests), tokens: limit.tokens === 0 ? 0 : tokens };
  }

  /** False for what is more than the whole limit. */
  canEver(need: Amount): boolean {
    return fits(need, this.#setting.limit);
  }

  /** At once, or not at all: what this worker holds, and no call waits before this one. */
  take(need: Amount): Grant | undefined {
    return this.#queue.length === 0 ? this.#grant(need) : undefined;
  }

  /** At once, or as soon as it is known whether there is room. */
  async ask(need: Amount): Promise<Grant | undefined> {
    const taken = this.take(need);
    const { fleet, world } = this.#setting;
    if (taken !== undefined || fleet === undefined) return taken;
    this.#wish = { need, until: world.elapsed() + wishMs };
    if (this.#queue.length > 0 || !this.#mayHaveRoom(need)) {
      this.#consider();
      return undefined;
    }
    const patience = new AbortController();
    void world.sleep(askMs, patience.signal).then(() => patience.abort());
    const settled = this.#settled().then(() => patience.abort());
    const grant = await this.wait(need, patience.signal);
    patience.abort();
    await settled;
    return grant;
  }

  /** The write under way may have begun before this call came: then the next one is for it. */
  async #settled(): Promise<void> {
    await undefined;
    await this.#syncing;
    await this.#syncing;
  }

  /** In turn; undefined when the signal aborts first. */
  wait(need: Amount, signal: AbortSignal): Promise<Grant | undefined> {
    return new Promise((resolve) => {
      if (signal.aborted || this.#isClosed) return resolve(undefined);
      const finish = (grant: Grant | undefined): void => {
        signal.removeEventListener('abort', leave);
        const at = this.#queue.indexOf(waiter);
        if (at >= 0) this.#queue.splice(at, 1);
        resolve(grant);
      };
      const leave = (): void => {
        finish(undefined);
        this.#consider();
      };
      const waiter: Waiter = { need, serve: finish };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(waiter);
      this.#consider();
    });
  }

  /** Milliseconds until a request of that kind may have room, as far as this worker can tell. */
  waitMs(need: Amount): number {
    const before = this.#queue.reduce((sum, waiter) => plus(sum, waiter.need), need);
    return this.#ledger.waitMs(before, this.#held, this.#setting.world.elapsed());
  }

  /** Gives back what is not used. What was used less than a minute ago stays held, and is taken from a silent worker. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    this.#timer?.abort();
    this.#wish = undefined;
    for (const waiter of [...this.#queue]) waiter.serve(undefined);
    await this.#syncing;
    if (this.#known.value?.holdings[this.#setting.fleet?.workerId ?? ''] !== undefined) await this.#sync();
  }

  #grant(need: Amount): Grant | undefined {
    const { fleet, world } = this.#setting;
    const now = world.elapsed();
    if (fleet !== undefined && now - this.#confirmedAt >= fleet.leaseMs) return undefined;
    if (!fits(plus(this.#ledger.used(now), need), this.#held)) return undefined;
    this.#ledger.begin(need);
    this.#usedAt = now;
    this.#wish = undefined;
    const end = (counted: Amount): void => {
      this.#usedAt = world.elapsed();
      this.#ledger.end(need, counted, this.#usedAt);
      this.#consider();
    };
    return { end: (tokens) => end(this.needOf(tokens)), giveBack: () => end(nothing) };
  }

  #serve(): void {
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      const grant = this.#grant(first.need);
      if (grant === undefined) return;
      first.serve(grant);
    }
  }

  /** Serves who can be served, and sees to it that this worker holds what it should. */
  #consider(): void {
    this.#serve();
    const { fleet, world, cell } = this.#setting;
    if (this.#isClosed) return;
    const now = world.elapsed();
    if (
      fleet !== undefined &&
      this.#syncing === undefined &&
      now >= this.#tryAt &&
      cell.reachable() &&
      this.#isDue(now, fleet)
    ) {
      this.#syncing = this.#sync().finally(() => {
        this.#syncing = undefined;
        this.#consider();
      });
    }
    this.#arm(now);
  }

  #isDue(now: number, fleet: FleetOptions): boolean {
    const { value } = this.#known;
    const isHolding = value?.holdings[fleet.workerId] !== undefined;
    return (isHolding && this.#isSilent(now, fleet)) || rebalanced(value, this.#outlook(fleet)) !== value;
  }

  /** It is time for a sign of life. */
  #isSilent(now: number, { leaseMs }: FleetOptions): boolean {
    return now - this.#confirmedAt >= leaseMs / 3;
  }

  #mayHaveRoom(need: Amount): boolean {
    const { fleet, limit } = this.#setting;
    const others = Object.entries(this.#known.value?.holdings ?? {}).filter(([id]) => id !== fleet?.workerId);
    if (others.some(([, { wants }]) => wants !== undefined)) return false;
    const taken = others.reduce(
      (sum, [, holding]) => plus(sum, holding),
      this.#ledger.used(this.#setting.world.elapsed()),
    );
    return fits(plus(taken, need), limit);
  }

  /** One write: what this worker should hold, and a sign of life. */
  async #sync(): Promise<void> {
    const { cell, fleet, onFailure, world } = this.#setting;
    if (fleet === undefined) return;
    const { workerId } = fleet;
    const sentAt = world.elapsed();
    let isSigned = false;
    const written = await changeCell({ cell, schema: allowanceSchema, newest: () => this.#known, world }, (value) => {
      const next = rebalanced(value, this.#outlook(fleet));
      const mine = next?.holdings[workerId];
      // What is given back may not be used from now on.
      this.#held = least(this.#held, mine ?? nothing);
      isSigned = mine !== undefined && (next !== value || this.#isSilent(sentAt, fleet));
      if (next === undefined || mine === undefined || !isSigned) return next;
      const used = this.#ledger.used(world.elapsed());
      return { ...next, holdings: { ...next.holdings, [workerId]: { ...mine, used, beat: mine.beat + 1 } } };
    });
    if (!written.ok) {
      onFailure?.(written.failure);
      this.#tryAt = world.elapsed() + tryAgainMs;
      return;
    }
    this.#keep(written.value);
    const mine = written.value.value?.holdings[workerId];
    this.#held = mine ?? nothing;
    if (isSigned) this.#confirmedAt = sentAt;
  }

  #outlook(fleet: FleetOptions) {
    const { limit, provider, world } = this.#setting;
    const now = world.elapsed();
    if (this.#wish !== undefined && this.#wish.until <= now) this.#wish = undefined;
    const needs = this.#queue.length > 0 || this.#wish === undefined ? this.#queue : [this.#wish];
    return {
      workerId: fleet.workerId,
      provider,
      limit,
      used: this.#ledger.used(now),
      head: needs[0]?.need,
      demand: needs.reduce((sum, { need }) => plus(sum, need), nothing),
      idleMs: this.#isClosed ? Number.POSITIVE_INFINITY : now - this.#usedAt,
      lifeOf: (id: string, holding: Holding) => this.#lifeOf(id, holding, now, fleet.leaseMs),
    };
  }

  /** By this worker's own clock, from when it saw the last sign of life. */
  #lifeOf(id: string, { beat }: Holding, now: number, leaseMs: number): 'alive' | 'silent' | 'dead' {
    const seen = this.#seen.get(id);
    const silentMs = seen?.beat === beat ? now - seen.at : 0;
    if (silentMs < leaseMs) return 'alive';
    return silentMs < leaseMs + lateMs + windowMs ? 'silent' : 'dead';
  }

  #hear(kept: Kept): void {
    const read = readKept(kept, allowanceSchema);
    if (!read.ok) return;
    this.#keep(read.value);
    const mine = read.value.value?.holdings[this.#setting.fleet?.workerId ?? ''];
    // Taken away: this worker was silent for too long.
    this.#held = least(this.#held, mine ?? nothing);
    this.#consider();
  }

  #keep(known: Known<Allowance>): void {
    if (known.seq < this.#known.seq && known.value !== undefined) return;
    this.#known = known;
    const now = this.#setting.world.elapsed();
    const holdings = known.value?.holdings ?? {};
    for (const [id, { beat }] of Object.entries(holdings))
      if (this.#seen.get(id)?.beat !== beat) this.#seen.set(id, { beat, at: now });
    for (const id of this.#seen.keys()) if (holdings[id] === undefined) this.#seen.delete(id);
  }

  /** Looks again when the next thing happens that nobody tells of. */
  #arm(now: number): void {
    this.#timer?.abort();
    this.#timer = undefined;
    const at = Math.min(...this.#moments(now).filter((moment) => moment > now));
    if (!Number.isFinite(at)) return;
    const timer = new AbortController();
    this.#timer = timer;
    void this.#setting.world.sleep(at - now, timer.signal).then(() => {
      if (!timer.signal.aborted) this.#consider();
    });
  }

  #moments(now: number): number[] {
    const { fleet } = this.#setting;
    const freed = this.#ledger.nextAt() ?? Number.POSITIVE_INFINITY;
    if (fleet === undefined) return this.#queue.length > 0 ? [freed] : [];
    const { leaseMs, workerId } = fleet;
    const { [workerId]: mine, ...others } = this.#known.value?.holdings ?? {};
    const needs = this.#queue.length > 0 || this.#wish !== undefined;
    const isAwaited = needs || Object.values(others).some(({ wants }) => wants !== undefined);
    const signs = needs ? Object.keys(others).flatMap((id) => this.#seen.get(id)?.at ?? []) : [];
    return [
      ...(isAwaited ? [freed, this.#usedAt + unusedWhileOthersWaitMs] : []),
      ...(mine === undefined ? [] : [this.#confirmedAt + leaseMs / 3, this.#usedAt + unusedMs]),
      ...(this.#wish === undefined ? [] : [this.#wish.until]),
      ...(this.#tryAt > now ? [this.#tryAt] : []),
      ...signs.flatMap((sign) => [sign + leaseMs, sign + leaseMs + lateMs + windowMs]),
    ];
  }
}
