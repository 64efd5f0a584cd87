/** Sums that do not drift: decimals are added as integers, the rest with compensation (Neumaier). */
import { type Decimal, powersOfTen } from './decimal.js';

export class ExactSum {
  /** Exact part: `(units + big) / 10 ** scale`. */
  #units = 0;
  #big = 0n;
  #scale = 0;
  /** Inexact part and what its additions lost. */
  #float = 0;
  #lost = 0;

  add(decimal: Decimal): void {
    if (decimal.scale < 0) {
      this.#addFloat(decimal.value);
      return;
    }
    if (decimal.scale > this.#scale) this.#refine(decimal.scale);
    const units = decimal.units * (powersOfTen[this.#scale - decimal.scale] ?? Number.NaN);
    const next = this.#units + units;
    if (Number.isSafeInteger(units) && Number.isSafeInteger(next)) {
      this.#units = next;
      return;
    }
    this.#big += BigInt(this.#units) + BigInt(decimal.units) * 10n ** BigInt(this.#scale - decimal.scale);
    this.#units = 0;
  }

  #refine(scale: number): void {
    const by = scale - this.#scale;
    const units = this.#units * (powersOfTen[by] ?? Number.NaN);
    this.#big *= 10n ** BigInt(by);
    if (Number.isSafeInteger(units)) this.#units = units;
    else {
      this.#big += BigInt(this.#units) * 10n ** BigInt(by);
      this.#units = 0;
    }
    this.#scale = scale;
  }

  #addFloat(value: number): void {
    const next = this.#float + value;
    this.#lost += Math.abs(this.#float) >= Math.abs(value) ? this.#float - next + value : value - next + this.#float;
    this.#float = next;
  }

  /** The nearest double. */
  value(): number {
    const exact = Number(this.#exactText());
    return this.#float === 0 && this.#lost === 0 ? exact : exact + (this.#float + this.#lost);
  }

  /** The sum as JSON: a number, or the digits as text when it is an integer that no double holds. */
  toJson(): number | string {
    const text = this.#exactText();
    const whole = this.#float === 0 && this.#lost === 0 && !text.includes('.');
    return whole && !Number.isSafeInteger(Number(text)) ? text : this.value();
  }

  #exactText(): string {
    const total = this.#big + BigInt(this.#units);
    if (this.#scale === 0) return total.toString();
    const negative = total < 0n;
    const digits = (negative ? -total : total).toString().padStart(this.#scale + 1, '0');
    const decimals = digits.slice(-this.#scale).replace(/0+$/, '');
    const whole = digits.slice(0, -this.#scale);
    return `${negative ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
  }
}
