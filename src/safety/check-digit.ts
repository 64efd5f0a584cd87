/** Check digits of cards, identity numbers and accounts. */

/** Payment cards (ISO/IEC 7812). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Begins like a card of a payment network, and is as long as they are: Visa, Mastercard, American Express, Diners, JCB,
 * Discover, Maestro, UnionPay. Article numbers have thirteen digits too: of those only Visa's old ones count.
 */
export const hasCardPrefix = (digits: string): boolean =>
  digits.length >= 16
    ? /^(?:4|5[0-8]|2[2-7]|3[05-9]|6[0-9]|81)/.test(digits)
    : [/^4/, /^3[068]/, /^3[47]/][digits.length - 13]?.test(digits) === true;

const provinces: ReadonlySet<string> = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83 91'.split(
    ' ',
  ),
);
const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const marks = '10X98765432';

/** A Chinese identity number of 18 characters (GB 11643-1999): province, date of birth, check character. */
export function isChineseId(id: string): boolean {
  if (!/^\d{17}[\dXx]$/.test(id) || !provinces.has(id.slice(0, 2)) || !isDay(id.slice(6, 14))) return false;
  const sum = weights.reduce((total, weight, i) => total + weight * Number(id.charAt(i)), 0);
  return marks.charAt(sum % 11) === id.charAt(17).toUpperCase();
}

/** The old form of 15 digits has no check digit: only with words around it that say so. */
export const isOldChineseId = (id: string): boolean =>
  /^\d{15}$/.test(id) && provinces.has(id.slice(0, 2)) && isDay(`19${id.slice(6, 12)}`);

function isDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6, 8))];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1880 && year <= 2100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Lengths of account numbers by country (IBAN registry). */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

export const ibanLength = (country: string): number | undefined => ibanLengths.get(country);

/** ISO 7064 mod 97-10 over the rearranged number. */
export function isIban(compact: string): boolean {
  if (compact.length !== ibanLengths.get(compact.slice(0, 2))) return false;
  let rest = 0;
  for (const char of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    if (Number.isNaN(value)) return false;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
