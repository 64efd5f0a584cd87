/** What one column holds, gathered value by value. */
import type { Json } from '../../../domain/json.js';
import { headOf } from '../../cut.js';
import { type Decimal, readDecimal, rounded } from './decimal.js';
import { ExactSum } from './sum.js';
import { copied, isBoolean, isMissing, readDate } from './value.js';

export type ColumnType = 'number' | 'date' | 'boolean' | 'text' | 'empty';

/** A column is of a type when this share of its values is; the others are counted. */
const typeShare = 0.9;
const mostTop = 5;
const shownChars = 60;

interface Range<T> {
  least: T;
  most: T;
}

export class ColumnProfile {
  readonly #mostDistinct: number;
  /** Times each value was met, as written; undefined once there were too many of them. */
  #counts: Map<string, number> | undefined = new Map();
  #present = 0;
  #numbers = 0;
  #dates = 0;
  #booleans = 0;
  readonly #sum = new ExactSum();
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #days: Range<{ at: number; text: string }> | undefined;
  readonly #decimal: Decimal = { value: 0, units: 0, scale: 0 };

  constructor(mostDistinct: number) {
    this.#mostDistinct = mostDistinct;
  }

  add(cell: string): void {
    if (isMissing(cell)) return;
    this.#present += 1;
    this.#count(cell);
    if (readDecimal(cell, this.#decimal)) this.#addNumber(this.#decimal);
    else if (!this.#addDate(cell) && isBoolean(cell)) this.#booleans += 1;
  }

  #count(cell: string): void {
    const counts = this.#counts;
    if (counts === undefined) return;
    const times = counts.get(cell);
    if (times !== undefined) counts.set(cell, times + 1);
    else if (counts.size < this.#mostDistinct) counts.set(copied(cell), 1);
    else this.#counts = undefined;
  }

  #addNumber(decimal: Decimal): void {
    this.#numbers += 1;
    this.#sum.add(decimal);
    if (decimal.value < this.#least) this.#least = decimal.value;
    if (decimal.value > this.#most) this.#most = decimal.value;
  }

  #addDate(cell: string): boolean {
    const date = readDate(cell);
    if (date === undefined) return false;
    this.#dates += 1;
    const found = { at: date.at, text: cell };
    this.#days ??= { least: { ...found, text: copied(cell) }, most: { ...found, text: copied(cell) } };
    if (date.at < this.#days.least.at) this.#days.least = { at: date.at, text: copied(cell) };
    if (date.at > this.#days.most.at) this.#days.most = { at: date.at, text: copied(cell) };
    return true;
  }

  type(): ColumnType {
    if (this.#present === 0) return 'empty';
    const enough = this.#present * typeShare;
    if (this.#numbers >= enough) return 'number';
    if (this.#dates >= enough) return 'date';
    return this.#booleans === this.#present ? 'boolean' : 'text';
  }

  /** The summary; values that were never handed over (`rows` tells how many there should be) are missing. */
  summary(name: string, rows: number): { readonly [key: string]: Json } {
    const type = this.type();
    return {
      name,
      type,
      missing: rows - this.#present,
      distinct: this.#counts?.size ?? `over ${this.#mostDistinct}`,
      ...(type === 'number' ? this.#numberSummary() : {}),
      ...(type === 'date' ? this.#dateSummary() : {}),
      ...this.#top(type),
    };
  }

  #numberSummary(): { readonly [key: string]: Json } {
    const others = this.#present - this.#numbers;
    return {
      min: this.#least,
      max: this.#most,
      mean: rounded(this.#sum.value() / this.#numbers),
      sum: this.#sum.toJson(),
      ...(others > 0 ? { not_numbers: others } : {}),
    };
  }

  #dateSummary(): { readonly [key: string]: Json } {
    const others = this.#present - this.#dates;
    return {
      min: this.#days?.least.text.trim() ?? null,
      max: this.#days?.most.text.trim() ?? null,
      ...(others > 0 ? { not_dates: others } : {}),
    };
  }

  /** The most frequent values, where that says something. */
  #top(type: ColumnType): { readonly top?: Json } {
    if (this.#counts === undefined) return {};
    const byCount = [...this.#counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, mostTop);
    const telling = type === 'number' || type === 'date' ? this.#counts.size <= 20 : (byCount[0]?.[1] ?? 0) > 1;
    if (!telling) return {};
    return { top: byCount.map(([value, count]) => ({ value: short(value), count })) };
  }
}

const short = (value: string): string => (value.length > shownChars ? `${headOf(value, shownChars)}…` : value);
