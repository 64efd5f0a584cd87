/** Numbers with where they come from, in order, so that one near another is found in logarithmic time. */

export interface Sourced {
  readonly value: number;
  readonly from: readonly string[];
}

export class Sorted {
  readonly #items: Sourced[];

  constructor(items: readonly Sourced[]) {
    const ordered = items.filter(({ value }) => Number.isFinite(value)).sort((a, b) => a.value - b.value);
    this.#items = ordered.filter(({ value }, at) => value !== ordered[at - 1]?.value);
  }

  get size(): number {
    return this.#items.length;
  }

  /** The one nearest to `value` within `reach`. */
  near(value: number, reach: number): Sourced | undefined {
    let best: Sourced | undefined;
    for (let at = this.#from(value - reach); at < this.#items.length; at += 1) {
      const item = this.#items[at] as Sourced;
      if (item.value > value + reach) break;
      if (best !== undefined && Math.abs(item.value - value) >= Math.abs(best.value - value)) break;
      best = item;
    }
    return best;
  }

  between(low: number, high: number): number {
    return this.#from(high) - this.#from(low);
  }

  /**
   * How often a number of this size, drawn at random, would lie within `reach` of one of these by chance: their density
   * from half of it to twice of it.
   */
  chance(value: number, reach: number): number {
    const size = Math.abs(value);
    if (size === 0) return 1;
    const [low, high] = value > 0 ? [size / 2, size * 2] : [-size * 2, -size / 2];
    return (this.between(low, high) * 2 * reach) / (1.5 * size);
  }

  #from(value: number): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#items[middle] as Sourced).value < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
