/** International bank account numbers, with or without blanks. */
import { ibanLength, isIban } from './check-digit.js';
import type { Finding } from './finding.js';

const pattern = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/g;

export function* findIbans(text: string): Generator<Finding> {
  for (const match of text.matchAll(pattern)) {
    const wanted = ibanLength(match[0].slice(0, 2));
    if (wanted === undefined) continue;
    let seen = 0;
    let end = 0;
    for (; end < match[0].length && seen < wanted; end += 1) if (match[0].charAt(end) !== ' ') seen += 1;
    const found = match[0].slice(0, end);
    const next = text.charAt(match.index + end);
    if (isIban(found.replaceAll(' ', '')) && !/[A-Za-z0-9]/.test(next)) {
      yield { kind: 'iban', start: match.index, end: match.index + end };
    }
  }
}
