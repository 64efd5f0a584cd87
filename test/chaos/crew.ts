/** The worker processes, each behind a proxy of its own, and what can be done to them. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/observe/clock.js';
import { startProxy, type TestProxy } from '../support/nats-proxy.js';
import { crewSize } from './schedule.js';

export interface CrewOptions {
  readonly ledger: string;
  /** Of nats-server. */
  readonly url: string;
  readonly settings: Readonly<Record<string, unknown>>;
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

  private constructor(options: CrewOptions) {
    this.#options = options;
  }

  static async start(options: CrewOptions): Promise<Crew> {
    const crew = new Crew(options);
    await Promise.all(
      Array.from({ length: crewSize }, async (_, index) => {
        const role = index === 0 ? 'planner' : 'executor';
        const proxy = await startProxy(options.url);
        crew.#places[index] = { role, proxy, replaced: undefined, ...(await crew.#hire(role, proxy)) };
      }),
    );
    return crew;
  }

  /** Process of a place. */
  pid(index: number): number {
    return this.#at(index).child.pid ?? 0;
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

  async stop(): Promise<void> {
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
    const { ledger, settings } = this.#options;
    const program = fileURLToPath(new URL('worker.js', import.meta.url));
    for (;;) {
      const child = fork(program, [role, ledger, JSON.stringify({ ...settings, 'nats.url': proxy.url })], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
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
