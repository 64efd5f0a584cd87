/** Quantiles: exact as long as the values may be kept, then within 0.5 % of the value. */

import { rounded } from './decimal.js';

/** How many values all quantiles of a table may keep together. */
export interface Quota {
  left: number;
}

const accuracy = 0.005;
const gamma = (1 + accuracy) / (1 - accuracy);
const logGamma = Math.log(gamma);

export class Quantiles {
  readonly #quota: Quota;
  #values = new Float64Array(16);
  #size = 0;
  /** Counts by logarithmic bucket, once values are not kept any more. */
  #buckets: Map<number, number> | undefined;

  constructor(quota: Quota) {
    this.#quota = quota;
  }

  get exact(): boolean {
    return this.#buckets === undefined;
  }

  add(value: number): void {
    if (this.#buckets !== undefined) {
      this.#size += 1;
      this.#bucket(this.#buckets, value);
      return;
    }
    if (this.#size === this.#values.length && !this.#grow()) {
      this.#coarsen();
      this.add(value);
      return;
    }
    this.#values[this.#size] = value;
    this.#size += 1;
  }

  #grow(): boolean {
    const more = this.#values.length;
    if (this.#quota.left < more) return false;
    this.#quota.left -= more;
    const larger = new Float64Array(more * 2);
    larger.set(this.#values);
    this.#values = larger;
    return true;
  }

  #coarsen(): void {
    const buckets = new Map<number, number>();
    for (let i = 0; i < this.#size; i += 1) this.#bucket(buckets, this.#values[i] ?? 0);
    this.#quota.left += this.#values.length;
    this.#values = new Float64Array(0);
    this.#buckets = buckets;
  }

  #bucket(buckets: Map<number, number>, value: number): void {
    const size = Math.abs(value);
    // Bucket 0 is zero; 1,000,000 more or less keeps both signs apart and in order.
    const index = size < 1e-12 ? 0 : Math.sign(value) * (1_000_000 + Math.ceil(Math.log(size) / logGamma));
    buckets.set(index, (buckets.get(index) ?? 0) + 1);
  }

  /** Linear between the two nearest ranks, as spreadsheets and NumPy do it; undefined without values. */
  at(share: number): number | undefined {
    if (this.#size === 0) return undefined;
    const rank = share * (this.#size - 1);
    if (this.#buckets !== undefined) return this.#coarseAt(this.#buckets, rank);
    const sorted = this.#values.subarray(0, this.#size).sort();
    const low = sorted[Math.floor(rank)] ?? 0;
    const high = sorted[Math.ceil(rank)] ?? low;
    return rounded(low + (high - low) * (rank - Math.floor(rank)));
  }

  #coarseAt(buckets: Map<number, number>, rank: number): number {
    let before = 0;
    for (const [index, count] of [...buckets].sort(([a], [b]) => a - b)) {
      before += count;
      if (before <= rank) continue;
      if (index === 0) return 0;
      const size = (2 * gamma ** (Math.abs(index) - 1_000_000)) / (gamma + 1);
      return Math.sign(index) * size;
    }
    return 0;
  }
}
