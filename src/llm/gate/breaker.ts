/**
 * A circuit breaker for one provider, shared by all workers: after so many failures in a row, whoever met them, it opens,
 * and nothing is sent until a cool-down has passed; then one worker of all sends one probe, whose outcome closes the
 * breaker or opens it for twice as long. Where the others cannot be reached, it goes on by itself.
 *
 * Times are measured by each worker from the moment it hears of a change, so clocks need not agree. Who may probe is
 * decided by compare-and-set alone.
 */
import type { Failure } from '../../domain/failure.js';
import type { World } from '../world.js';
import {
  type BreakerOptions,
  beaten,
  breakerSchema,
  claimed,
  ended,
  type Health,
  healthy,
  type Outcome,
  paused,
} from './breaker-state.js';
import { type Cell, changeCell, type Kept, type Known, readKept } from './cell.js';

/** What is needed where the cell is shared by several processes. */
export interface FleetOptions {
  /** Unique for each process that ever runs. */
  readonly workerId: string;
  /** Whoever is silent for this long has lost its probe and its allowance. */
  readonly leaseMs: number;
}

export interface BreakerSetting {
  readonly provider: string;
  readonly model: string;
  readonly cell: Cell;
  readonly options: BreakerOptions;
  readonly world: World;
  /** Undefined: the cell is this process's own. */
  readonly fleet: FleetOptions | undefined;
  /** Called by the worker that changed the state. */
  readonly onTurn?: ((health: Health) => void) | undefined;
  /** The shared state could not be changed; this worker goes on by itself. */
  readonly onFailure?: ((failure: Failure) => void) | undefined;
}

/** A call that wants to probe waits no longer than this for the right to. */
const claimMs = 1_000;
/** After the shared state could not be changed, it is not tried again for so long. */
const aloneMs = 10_000;
/** A provider that asks for more is looked at again all the same. */
const maxPauseMs = 3_600_000;

interface Change {
  readonly apply: (health: Health) => Health;
  readonly settle: () => void;
}

export class Breaker {
  readonly #setting: BreakerSetting;
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  readonly #closed = new AbortController();
  #stored: Known<Health> = { seq: 0, value: undefined };
  /** What this worker goes by while the others cannot be reached. */
  #own: Health | undefined;
  #aloneUntil = 0;
  #waiting: Change[] = [];
  #writing: Promise<void> | undefined;
  /** While a change is on its way, what is heard may hold it already: it is kept until that is known. */
  #isStoring = false;
  #heard: Known<Health> | undefined;
  #health: Health;
  #claims = 0;
  #isFirst = true;
  /** By the monotonic clock: when the present turn, beat and pause were heard of. */
  #turnedAt = 0;
  #beatAt = 0;
  #pausedAt = 0;

  constructor(setting: BreakerSetting) {
    this.#setting = setting;
    this.#health = healthy(setting.provider, setting.model);
    this.#stop = setting.cell.watch((kept) => this.#hear(kept));
  }

  get state(): Health['state']['kind'] {
    return this.#health.state.kind;
  }

  /** Milliseconds until a request may go out, perhaps as the probe; 0 when one may go now. */
  waitMs(): number {
    const { state, pause } = this.#health;
    const now = this.#setting.world.elapsed();
    const pauseMs = pause === undefined ? 0 : Math.max(0, this.#pausedAt + pause.forMs - now);
    return Math.max(pauseMs, this.#stateMs(state, now));
  }

  #stateMs(state: Health['state'], now: number): number {
    const { fleet, options } = this.#setting;
    if (state.kind === 'closed') return 0;
    if (state.kind === 'open') return Math.max(0, this.#turnedAt + state.forMs - now);
    // A probe of this process always comes back; of another one it is told by beats that it is still out.
    return fleet === undefined ? options.coolDownMs : Math.max(0, this.#beatAt + fleet.leaseMs - now);
  }

  /** Tries to get the probe, for a request that goes out at once. Undefined: somebody else has it, or it is not due. */
  async claim(): Promise<string | undefined> {
    const { fleet, world } = this.#setting;
    const { state, turn } = this.#health;
    if (state.kind === 'closed' || this.waitMs() > 0) return undefined;
    this.#claims += 1;
    const by = `${fleet?.workerId ?? 'own'}.${this.#claims}`;
    const judged = { turn, beat: state.kind === 'probing' ? state.beat : 0 };
    const done = this.#change((health) => claimed(health, by, judged, world.now()));
    if (fleet !== undefined && !this.#isAlone()) {
      const waiting = new AbortController();
      const inTime = await Promise.race([
        done.then(() => true),
        world.sleep(claimMs, waiting.signal).then(() => false),
      ]);
      waiting.abort();
      if (!inTime) {
        void done.then(() => this.tell('withdrawn', by));
        return undefined;
      }
    } else await done;
    if (!this.#isProbing(by)) return undefined;
    if (fleet !== undefined) void this.#beat(by, fleet.leaseMs);
    return by;
  }

  /** How a request ended. @param probe what `claim` gave for it */
  tell(outcome: Outcome, probe?: string): void {
    const { state } = this.#health;
    const isNews = state.kind === 'closed' && (outcome === 'failed' || (outcome === 'succeeded' && state.failures > 0));
    if (!isNews && probe === undefined) return;
    const { options, world } = this.#setting;
    void this.#change((health) => ended(health, outcome, probe, options, world.now()));
  }

  /** The provider asked for so much rest. */
  pause(ms: number): void {
    const { world } = this.#setting;
    const { pause } = this.#health;
    const forMs = Math.min(ms, maxPauseMs);
    const left = pause === undefined ? 0 : this.#pausedAt + pause.forMs - world.elapsed();
    if (forMs > left) void this.#change((health) => paused(health, forMs, world.now()));
  }

  onChange(callback: () => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  /** Writes what is not written yet, and listens no more. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#stop();
    while (this.#writing !== undefined) await this.#writing;
  }

  #isProbing(by: string): boolean {
    const { state } = this.#health;
    return state.kind === 'probing' && state.by === by;
  }

  #isAlone(): boolean {
    const { cell, world } = this.#setting;
    return !cell.reachable() || world.elapsed() < this.#aloneUntil;
  }

  async #beat(by: string, leaseMs: number): Promise<void> {
    const { world } = this.#setting;
    for (;;) {
      await world.sleep(leaseMs / 3, this.#closed.signal);
      if (this.#closed.signal.aborted || !this.#isProbing(by)) return;
      await this.#change((health) => beaten(health, by));
    }
  }

  /** Holds here at once; resolves when it is stored, or when this worker goes on without the others. */
  #change(apply: Change['apply']): Promise<void> {
    return new Promise((settle) => {
      this.#waiting.push({ apply, settle });
      this.#refresh();
      this.#start();
    });
  }

  #start(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0) this.#start();
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = [...this.#waiting];
      const all = (health: Health) => batch.reduce((now, { apply }) => apply(now), health);
      if (this.#isAlone() || !(await this.#store(all))) {
        const before = this.#own ?? this.#stored.value ?? this.#fresh();
        this.#own = all(before);
        this.#report(before, this.#own);
      }
      this.#waiting = this.#waiting.slice(batch.length);
      const heard = this.#heard;
      this.#heard = undefined;
      if (heard !== undefined) this.#keep(heard);
      this.#refresh();
      if (heard !== undefined) this.#isFirst = false;
      for (const { settle } of batch) settle();
    }
  }

  async #store(apply: Change['apply']): Promise<boolean> {
    const { cell, world, onFailure } = this.#setting;
    let before = this.#fresh();
    this.#isStoring = true;
    const written = await changeCell({ cell, schema: breakerSchema, newest: () => this.#newest(), world }, (health) => {
      before = health ?? this.#fresh();
      const after = apply(before);
      return after === before ? health : after;
    });
    this.#isStoring = false;
    if (written.ok) {
      this.#keep(written.value);
      this.#report(before, written.value.value ?? before);
    } else {
      onFailure?.(written.failure);
      this.#aloneUntil = world.elapsed() + aloneMs;
    }
    return written.ok;
  }

  #report(before: Health, after: Health): void {
    if (after.turn !== before.turn) this.#setting.onTurn?.(after);
  }

  #fresh(): Health {
    return healthy(this.#setting.provider, this.#setting.model);
  }

  #hear(kept: Kept): void {
    const read = readKept(kept, breakerSchema);
    if (!read.ok) return;
    // Changes that wait are counted on top; those of the batch that is being stored may be in there already. It matters
    // only where they are counted.
    if (this.#isStoring && read.value.value?.state.kind === 'closed') {
      this.#heard = read.value;
      return;
    }
    this.#keep(read.value);
    this.#refresh();
    this.#isFirst = false;
  }

  #newest(): Known<Health> {
    const heard = this.#heard;
    return heard !== undefined && heard.seq > this.#stored.seq ? heard : this.#stored;
  }

  #keep(known: Known<Health>): void {
    if (known.seq < this.#stored.seq && known.value !== undefined) return;
    this.#stored = known;
    this.#own = undefined;
    this.#aloneUntil = 0;
  }

  #refresh(): void {
    const before = this.#health;
    const base = this.#own ?? this.#stored.value ?? this.#fresh();
    const health = this.#waiting.reduce((now, { apply }) => apply(now), base);
    this.#health = health;
    const { world } = this.#setting;
    const now = world.elapsed();
    // Of what was there already it is not known when it came: by the clocks, as far as they can be believed.
    const age = (at: number, most: number) => (this.#isFirst ? Math.min(Math.max(0, world.now() - at), most) : 0);
    const { state, pause, turn } = health;
    if (turn !== before.turn) this.#turnedAt = now - age(health.at, state.kind === 'open' ? state.forMs : 0);
    if (
      state.kind === 'probing' &&
      (turn !== before.turn || before.state.kind !== 'probing' || before.state.beat !== state.beat)
    )
      this.#beatAt = now;
    if (pause !== undefined && pause.turn !== before.pause?.turn) this.#pausedAt = now - age(pause.at, pause.forMs);
    if (health !== before) for (const listener of [...this.#listeners]) listener();
  }
}
