/** Numbers with where they come from, in order, so that one near another is found in logarithmic time. */

export interface Sourced {
  readonly value: number;
  readonly from: readonly string[];
}

/** Numbers as they are found, in plain memory, since there may be hundreds of thousands. */
export class Pile {
  #values = new Float64Array(64);
  /** Which of the sources each is from. */
  #from = new Uint32Array(64);
  readonly #sources: (readonly string[])[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(value: number, from: readonly string[]): void {
    if (!Number.isFinite(value)) return;
    if (this.#size === this.#values.length) this.#grow();
    if (this.#sources.at(-1) !== from) this.#sources.push(from);
    this.#values[this.#size] = value;
    this.#from[this.#size] = this.#sources.length - 1;
    this.#size += 1;
  }

  sorted(): Sorted {
    const found = this.#values.subarray(0, this.#size);
    return new Sorted(found, (value) => this.#sources[this.#from[found.indexOf(value)] ?? 0] ?? []);
  }

  #grow(): void {
    const [values, from] = [this.#values, this.#from];
    this.#values = new Float64Array(values.length * 4);
    this.#values.set(values);
    this.#from = new Uint32Array(from.length * 4);
    this.#from.set(from);
  }
}

/** Searches by reading through before it sorts: most piles are asked for a number or two that they do not have. */
const mostReadings = 16;

export class Sorted {
  readonly #values: Float64Array;
  readonly #fromOf: (value: number) => readonly string[];
  /** Each once, ascending; made when it pays. */
  #ordered: Float64Array | undefined;
  #readings = 0;

  /** @param values in any order. @param fromOf where one of them comes from; asked for those that are found only */
  constructor(values: Float64Array, fromOf: (value: number) => readonly string[]) {
    this.#values = values;
    this.#fromOf = fromOf;
  }

  /** The one nearest to `value` within `reach`. */
  near(value: number, reach: number): Sourced | undefined {
    const best =
      this.#ordered === undefined && this.#readings < mostReadings
        ? this.#read(value, reach)
        : this.#search(value, reach);
    return best === undefined ? undefined : { value: best, from: this.#fromOf(best) };
  }

  #read(value: number, reach: number): number | undefined {
    this.#readings += 1;
    let best: number | undefined;
    let distance = reach;
    for (const one of this.#values) {
      const away = one > value ? one - value : value - one;
      if (away < distance || (away === distance && best === undefined)) {
        best = one;
        distance = away;
      }
    }
    return best;
  }

  #search(value: number, reach: number): number | undefined {
    const ordered = this.#order();
    let best: number | undefined;
    for (let at = this.#from(value - reach); at < ordered.length; at += 1) {
      const one = ordered[at] as number;
      if (one > value + reach || (best !== undefined && Math.abs(one - value) >= Math.abs(best - value))) break;
      best = one;
    }
    return best;
  }

  #order(): Float64Array {
    if (this.#ordered === undefined) {
      const values = this.#values.slice().sort();
      let size = 0;
      for (let at = 0; at < values.length; at += 1)
        if (at === 0 || values[at] !== values[at - 1]) values[size++] = values[at] as number;
      this.#ordered = values.subarray(0, size);
    }
    return this.#ordered;
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
    const ordered = this.#order();
    let high = ordered.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ordered[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function sortedOf(items: Iterable<Sourced>): Sorted {
  const pile = new Pile();
  for (const { value, from } of items) pile.add(value, from);
  return pile.sorted();
}
