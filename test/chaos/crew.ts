/** The worker processes, each behind a proxy of its own, and what can be done to them. */
import { type ChildProcess, fork } from 'node:child_process';
import { systemClock } from '../../src/observe/clock.js';
import { startProxy, type TestProxy } from '../support/nats-proxy.js';
import { crewSize } from './schedule.js';

export interface CrewOptions {
  /** Path of the worker program. */
  readonly program: string;
  readonly ledger: string;
  /** Of nats-server. */
  readonly url: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** A process that nobody killed has ended. */
  readonly onCrash: (pid: number) => void;
}

interface Place {
  readonly role: string;
  readonly proxy: TestProxy;
  child: ChildProcess;
  exited: Promise<void>;
  /** While a successor is on its way. */
  replaced: Promise<void> | undefined;
}

const readyMs = 30_000;
/** A supervisor starts a dead process again after so long. */
const restartMs = 300;

export class Crew {
  readonly #options: CrewOptions;
  readonly #places: Place[] = [];
  #stopping = false;

  private constructor(options: CrewOptions) {
    this.#options = options;
  }

  static async start(options: CrewOptions): Promise<Crew> {
    const crew = new Crew(options);
    await Promise.all(
      Array.from({ length: crewSize }, async (_, index) => {
        const role = index === 0 ? 'planner' : 'executor';
        const proxy = await startProxy(options.url, { nats: true });
        const place: Place = { role, proxy, replaced: undefined, ...(await crew.#hire(role, proxy)) };
        crew.#places[index] = place;
        crew.#supervise(place);
      }),
    );
    return crew;
  }

  /** Process of a place. */
  pid(index: number): number {
    return this.#at(index).child.pid ?? 0;
  }

  /** Bytes that a process keeps after its garbage was collected. */
  async keptBytes(index: number): Promise<number> {
    const { child } = this.#at(index);
    const answer = new Promise<number>((resolve) => {
      child.once('message', ({ keptBytes }: { keptBytes: number }) => resolve(keptBytes));
    });
    child.send({ measure: true });
    return answer;
  }

  /** False while its process is dead and being replaced. */
  lives(index: number): boolean {
    return this.#at(index).replaced === undefined;
  }

  /** Resolves when its successor is ready. A place whose process is being replaced is left alone. */
  async kill(index: number): Promise<void> {
    const place = this.#at(index);
    place.replaced ??= this.#replace(place).finally(() => {
      place.replaced = undefined;
    });
    await place.replaced;
  }

  async #replace(place: Place): Promise<void> {
    place.child.kill('SIGKILL');
    await place.exited;
    await systemClock.sleep(restartMs);
    Object.assign(place, await this.#hire(place.role, place.proxy));
    this.#supervise(place);
  }

  /** A process that ends by itself is followed by another, too. */
  #supervise(place: Place): void {
    const { child } = place;
    void place.exited.then(() => {
      if (this.#stopping || place.replaced !== undefined) return;
      this.#options.onCrash(child.pid ?? 0);
      void this.kill(this.#places.indexOf(place));
    });
  }

  /** Resolves when every place has a process that is ready. */
  async whole(): Promise<void> {
    await Promise.all(this.#places.map(({ replaced }) => replaced));
  }

  async freeze(index: number, ms: number): Promise<void> {
    const { child } = this.#at(index);
    child.kill('SIGSTOP');
    await systemClock.sleep(ms);
    child.kill('SIGCONT');
  }

  cut(index: number): void {
    this.#at(index).proxy.cut();
  }

  async halfOpen(index: number, ms: number): Promise<void> {
    await this.#isolate(index, ms, (proxy) => proxy.freeze());
  }

  async loseReplies(index: number, ms: number): Promise<void> {
    await this.#isolate(index, ms, (proxy) => proxy.swallowReplies());
  }

  /** The wall clock of a process jumps, and jumps back. */
  async skew(index: number, byMs: number, ms: number): Promise<void> {
    const { child } = this.#at(index);
    const jump = (skewMs: number): void => {
      if (child.connected) child.send({ skewMs }, () => undefined);
    };
    jump(byMs);
    await systemClock.sleep(ms);
    jump(0);
  }

  async slow(index: number, delayMs: number, ms: number): Promise<void> {
    const { proxy } = this.#at(index);
    proxy.delay(delayMs);
    await systemClock.sleep(ms);
    proxy.delay(0);
  }

  /** Each message to and from it comes twice. */
  async repeat(index: number, ms: number): Promise<void> {
    const { proxy } = this.#at(index);
    proxy.repeat(true);
    await systemClock.sleep(ms);
    proxy.repeat(false);
  }

  /** What it sent of late comes once more, after a while. */
  async replay(index: number, afterMs: number): Promise<void> {
    await systemClock.sleep(afterMs);
    this.#at(index).proxy.replay();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const { child } of this.#places) child.kill('SIGTERM');
    await Promise.all(this.#places.map(({ exited }) => exited));
    await Promise.all(this.#places.map(({ proxy }) => proxy.stop()));
  }

  async #isolate(index: number, ms: number, how: (proxy: TestProxy) => void): Promise<void> {
    const { proxy } = this.#at(index);
    how(proxy);
    await systemClock.sleep(ms);
    proxy.pass();
    proxy.cut();
  }

  #at(index: number): Place {
    const place = this.#places[index];
    if (place === undefined) throw new Error(`there is no worker ${index}`);
    return place;
  }

  async #hire(role: string, proxy: TestProxy): Promise<Pick<Place, 'child' | 'exited'>> {
    const { ledger, program, settings } = this.#options;
    for (;;) {
      const child = fork(program, [role, ledger, JSON.stringify({ ...settings, 'nats.url': proxy.url })], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        execArgv: ['--expose-gc'],
      });
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const ready = new Promise<boolean>((resolve) => {
        child.once('message', () => resolve(true));
        void exited.then(() => resolve(false));
      });
      // A process that cannot start, because its server is away, is started again, as by any supervisor.
      if (await Promise.race([ready, systemClock.sleep(readyMs).then(() => false)])) return { child, exited };
      child.kill('SIGKILL');
      await systemClock.sleep(restartMs);
    }
  }
}
