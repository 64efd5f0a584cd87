/** Sums that a report writes out: `2400 − 861 − 188 = 1351`. */
import { narrow } from './numeral.js';

export interface Equation {
  /** Where the number behind the equals sign stands. */
  readonly at: number;
  /** Where the numbers before it stand. */
  readonly operands: readonly number[];
  /** What they come to. */
  readonly value: number;
}

const figure = String.raw`[$€£¥]?\s?(\d[\d,]*(?:\.\d+)?)\s?(?:%|[$€£¥]|[A-Za-zµ]{1,4}|[\u4e00-\u9fff]{1,2})?`;
const written = new RegExp(String.raw`${figure}(?:\s?[-+×x*÷/]\s?${figure}){1,12}\s?[=＝≈]\s?[$€£¥]?\s?(?=-?\d)`, 'g');
const part = new RegExp(String.raw`([-+×x*÷/]?)\s?${figure}`, 'g');

export function equationsIn(text: string): Equation[] {
  const plain = narrow(text).replaceAll('–', '-').replaceAll('＝', '=');
  if (!/[=≈]\s?\S/.test(plain)) return [];
  return [...plain.matchAll(written)].map(({ 0: left, index }) => {
    const terms: number[] = [];
    const operands: number[] = [];
    for (const { 0: whole, 1: sign = '', 2: digits = '', index: start } of left.matchAll(part)) {
      const value = Number(digits.replaceAll(',', ''));
      operands.push(index + start + whole.indexOf(digits));
      const last = terms.at(-1) ?? 0;
      if (sign === '-') terms.push(-value);
      else if (/[×x*]/.test(sign)) terms[terms.length - 1] = last * value;
      else if (/[÷/]/.test(sign)) terms[terms.length - 1] = last / value;
      else terms.push(value);
    }
    return { at: index + left.length, operands, value: terms.reduce((sum, term) => sum + term, 0) };
  });
}
