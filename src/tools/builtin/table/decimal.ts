/** Numbers as people write them in tables, read exactly: a decimal is an integer and a number of decimals. */
export interface Decimal {
  value: number;
  /** `value` is exactly `units / 10 ** scale`, unless `scale` is -1: then only `value` counts. */
  units: number;
  scale: number;
}

export const powersOfTen: readonly number[] = Array.from({ length: 23 }, (_, i) => 10 ** i);

/** Without the last digit of a double, which is noise after a division. */
export const rounded = (value: number): number => Number(value.toPrecision(15));

const ZERO = 48;
const NINE = 57;
const COMMA = 44;
const DOT = 46;
const MINUS = 45;
const PLUS = 43;
const PERCENT = 37;
const SPACE = 32;
const TAB = 9;

const isSpace = (code: number): boolean => code === SPACE || code === TAB || code === 0xa0 || code === 0x3000;
const isCurrency = (code: number): boolean =>
  code === 36 || code === 0xa3 || code === 0xa5 || code === 0x20ac || code === 0xffe5;

/**
 * Reads `12`, `-3.50`, `+7`, `1,234,567.8`, `$12.00`, `12%` (as 12), `1e-3` into `out`. False for anything else: also
 * for `007` and integers past 2^53, which are names, not amounts.
 */
export function readDecimal(text: string, out: Decimal): boolean {
  let i = 0;
  let end = text.length;
  while (i < end && isSpace(text.charCodeAt(i))) i += 1;
  while (end > i && isSpace(text.charCodeAt(end - 1))) end -= 1;
  const first = text.charCodeAt(i);
  const negative = first === MINUS;
  if (negative || first === PLUS) i += 1;
  if (i < end && isCurrency(text.charCodeAt(i))) i += 1;
  if (end > i + 1 && text.charCodeAt(end - 1) === PERCENT) end -= 1;
  return digits(text, i, end, negative, out);
}

function digits(text: string, start: number, end: number, negative: boolean, out: Decimal): boolean {
  let units = 0;
  let count = 0;
  let scale = -1;
  let group = -1;
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      units = units * 10 + (code - ZERO);
      count += 1;
      if (scale >= 0) scale += 1;
      if (group >= 0) group += 1;
    } else if (code === DOT && scale < 0 && (group === -1 || group === 3)) {
      scale = 0;
      group = -1;
    } else if (code === COMMA && scale < 0 && (group === 3 || (group === -1 && count >= 1 && count <= 3))) {
      group = 0;
    } else return (code === 101 || code === 69) && count > 0 && exponent(text, start, end, negative, out);
  }
  if (count === 0 || (group !== -1 && group !== 3)) return false;
  const whole = scale < 0 ? count : count - scale;
  if (whole > 1 && text.charCodeAt(start) === ZERO) return false;
  if (count > 15) return long(text, start, end, negative, out);
  out.scale = Math.max(0, scale);
  out.units = negative ? -units : units;
  // Both numbers are exact, so the quotient is the nearest double: the same that Number(text) gives.
  out.value = out.scale === 0 ? out.units : out.units / (powersOfTen[out.scale] ?? 1);
  return true;
}

/** More digits than a double holds for sure. */
function long(text: string, start: number, end: number, negative: boolean, out: Decimal): boolean {
  const plain = text.slice(start, end).replaceAll(',', '');
  const value = Number(plain);
  if (!plain.includes('.') && !Number.isSafeInteger(value)) return false;
  if (Number.isSafeInteger(value) && !plain.includes('.')) {
    out.units = negative ? -value : value;
    out.scale = 0;
    out.value = out.units;
    return true;
  }
  return inexact(negative ? -value : value, out);
}

function exponent(text: string, start: number, end: number, negative: boolean, out: Decimal): boolean {
  const plain = text.slice(start, end);
  // The part before was checked; a comma in it is not a number to JavaScript either.
  if (!/^\d*\.?\d*e[+-]?\d{1,3}$/i.test(plain)) return false;
  const value = Number(plain);
  return Number.isFinite(value) && inexact(negative ? -value : value, out);
}

function inexact(value: number, out: Decimal): boolean {
  out.value = value;
  out.units = 0;
  out.scale = -1;
  return true;
}
