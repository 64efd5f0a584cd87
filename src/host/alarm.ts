/** How an agent in a host's hands hears of its deadline; a parked one hears of it by a durable timer. */
import type { Clock } from '../domain/clock.js';
import type { JsonObject } from '../domain/json.js';
import { type Hosted, isEnded } from './hosted.js';

/** Timers of Node do not reach further. */
const longestSleepMs = 2_000_000_000;

export class Alarm {
  #isOff = false;
  #setFor: number | undefined;
  #silence: () => void = () => {};

  /** @param ring takes the event that the agent is to hear */
  constructor(
    private readonly hosted: Hosted,
    private readonly clock: Clock,
    private readonly ring: (event: JsonObject) => void,
  ) {}

  /** Sets it when the agent was born, or was given more or less time. */
  keep(): void {
    if (this.#due()?.dueAt !== this.#setFor) this.#set();
  }

  /** The deadline has passed, also while the record of it cannot be stored. */
  isDue(): boolean {
    const due = this.#due();
    return due !== undefined && this.clock.now() >= due.dueAt;
  }

  turnOff(): void {
    this.#isOff = true;
    this.#silence();
  }

  #due(): { readonly dueAt: number; readonly timer: string } | undefined {
    const { role, snapshot } = this.hosted;
    return this.#isOff || snapshot === undefined || isEnded(this.hosted) ? undefined : role.alarm(snapshot.context);
  }

  #set(): void {
    const due = this.#due();
    this.#silence();
    this.#setFor = due?.dueAt;
    if (due === undefined) return;
    const leftMs = due.dueAt - this.clock.now();
    if (leftMs > 0) {
      this.#silence = this.clock.after(Math.min(leftMs, longestSleepMs), () => this.#set());
      return;
    }
    const id = `${this.hosted.agentId}.alarm.${due.timer}.${due.dueAt}`;
    this.ring({ type: 'timer.fired', v: 1, id, at: this.clock.now(), ref: id, timer: due.timer });
  }
}
