/**
 * What one process uses of an allowance. A request counts from the moment it is let through until a minute after it has
 * ended: whenever in between the provider counts it, no sliding minute of the provider's holds more than the allowance.
 */
import { type Amount, fits, minus, nothing, plus } from './allowance.js';

/** A minute, and a little for clocks that do not run alike. */
export const windowMs = 60_250;
/** Requests that end within this time of each other are freed together. */
const grainMs = 100;

interface Cooling {
  readonly from: number;
  amount: Amount;
  until: number;
}

export class Ledger {
  #inFlight = nothing;
  #cooled = nothing;
  #cooling: Cooling[] = [];

  /** In flight, or ended less than a minute ago. */
  used(now: number): Amount {
    this.#drop(now);
    return plus(this.#inFlight, this.#cooled);
  }

  begin(amount: Amount): void {
    this.#inFlight = plus(this.#inFlight, amount);
  }

  /** @param counted what the provider may have counted of it, which may be more than was reserved */
  end(amount: Amount, counted: Amount, now: number): void {
    this.#inFlight = minus(this.#inFlight, amount);
    if (counted.requests === 0 && counted.tokens === 0) return;
    this.#cooled = plus(this.#cooled, counted);
    const last = this.#cooling.at(-1);
    if (last !== undefined && now - last.from < grainMs) {
      last.amount = plus(last.amount, counted);
      last.until = now + windowMs;
    } else this.#cooling.push({ from: now, amount: counted, until: now + windowMs });
  }

  /** When the next of it is free again; undefined: nothing will be before a request ends. */
  nextAt(): number | undefined {
    return this.#cooling[0]?.until;
  }

  /** Milliseconds until `wanted` more fits into `held`; a whole window when that cannot be told. */
  waitMs(wanted: Amount, held: Amount, now: number): number {
    let used = plus(this.used(now), wanted);
    for (const { amount, until } of this.#cooling) {
      if (fits(used, held)) break;
      used = minus(used, amount);
      if (fits(used, held)) return until - now;
    }
    return fits(used, held) ? 0 : windowMs;
  }

  #drop(now: number): void {
    let gone = 0;
    for (const { amount, until } of this.#cooling) {
      if (until > now) break;
      this.#cooled = minus(this.#cooled, amount);
      gone += 1;
    }
    if (gone > 0) this.#cooling = this.#cooling.slice(gone);
  }
}
