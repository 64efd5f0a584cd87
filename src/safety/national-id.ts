/** Identity numbers of countries that write letters or fixed groups: the form proposes, check digits or a word decide. */
import type { Finding } from './finding.js';

interface Form {
  readonly pattern: RegExp;
  /** @param compact without blanks, points, hyphens and brackets, in capitals */
  readonly holds: (compact: string) => boolean;
}

const any = (): boolean => true;
const digitsOf = (text: string): number[] => [...text].map(Number);
const weighed = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * (digits[i] ?? 0), 0);

const forms: readonly Form[] = [
  // United Kingdom, National Insurance.
  { pattern: /\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/g, holds: any },
  // Brazil, CPF.
  { pattern: /\b\d{3}\.\d{3}\.\d{3}-\d{2}\b/g, holds: isCpf },
  // Spain, DNI and NIE.
  { pattern: /\b(?:\d{8}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z]\b/g, holds: isDni },
  // Italy, codice fiscale.
  { pattern: /\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b/g, holds: any },
  // Hong Kong.
  { pattern: /\b[A-Z]{1,2}\d{6} ?[(（][0-9A][)）]/g, holds: isHongKongId },
  // Taiwan.
  { pattern: /\b[A-Z][1289]\d{8}\b/g, holds: isTaiwanId },
  // Singapore, NRIC and FIN.
  { pattern: /\b[STFG]\d{7}[A-Z]\b/g, holds: isNric },
  // Korea, resident registration: a date, a hyphen, the century's digit.
  { pattern: /\b\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-[1-8]\d{6}\b/g, holds: any },
  // France, NIR.
  { pattern: /\b[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?\d{2} ?\d{3} ?\d{3} ?\d{2}\b/g, holds: isNir },
];

/** Numbers without a form of their own: the word before says what they are. */
const worded =
  /(?:passport|护照|港澳通行证|通行证|台胞证|aadhaar|social insurance|\bSIN\b|driv(?:er'?s|ing) licen[cs]e|驾照)[^\dA-Z\n]{0,14}?(?:no\.?|number|号码?|id)?[^\dA-Za-z\n]{0,6}([A-Z]{0,3}\d[\dA-Z]{2,12}(?:[ -]\d{3,4}){0,2})(?![\w-])/gi;

export function* findNationalIds(text: string): Generator<Finding> {
  if (!/\d{2}/.test(text)) return;
  for (const { pattern, holds } of forms) {
    for (const match of text.matchAll(pattern)) {
      const compact = match[0].replaceAll(/[ .()（）-]/g, '').toUpperCase();
      if (holds(compact)) yield { kind: 'id-card', start: match.index, end: match.index + match[0].length };
    }
  }
  for (const match of text.matchAll(worded)) {
    const value = match[1] ?? '';
    if (value.replaceAll(/\D/g, '').length < 5) continue;
    const end = match.index + match[0].length;
    yield { kind: 'id-card', start: end - value.length, end };
  }
}

function isCpf(id: string): boolean {
  const digits = digitsOf(id);
  const check = (count: number): boolean => {
    const sum = weighed(
      digits,
      Array.from({ length: count }, (_, i) => count + 1 - i),
    );
    return ((sum * 10) % 11) % 10 === digits[count];
  };
  return new Set(digits).size > 1 && check(9) && check(10);
}

function isDni(id: string): boolean {
  const number = Number(id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23) === id.at(-1);
}

function isHongKongId(id: string): boolean {
  const letters = id.replace(/[^A-Z].*$/, '');
  const values = [...letters.padStart(2, ' ')].map((letter) => (letter === ' ' ? 36 : letter.charCodeAt(0) - 55));
  const digits = digitsOf(id.slice(letters.length, letters.length + 6));
  const rest = (11 - (weighed([...values, ...digits], [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return id.at(-1) === (rest === 10 ? 'A' : String(rest));
}

function isTaiwanId(id: string): boolean {
  const region = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(id.charAt(0)) + 10;
  const digits = [Math.floor(region / 10), region % 10, ...digitsOf(id.slice(1))];
  return weighed(digits, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
}

function isNric(id: string): boolean {
  const first = id.charAt(0);
  const sum = weighed(digitsOf(id.slice(1, 8)), [2, 7, 6, 5, 4, 3, 2]) + ('TG'.includes(first) ? 4 : 0);
  return ('ST'.includes(first) ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK').charAt(sum % 11) === id.at(-1);
}

/** Two check digits: 97 less the rest of the other thirteen. */
function isNir(id: string): boolean {
  return 97 - (Number(id.slice(0, 13)) % 97) === Number(id.slice(13));
}
