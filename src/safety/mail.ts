/** E-mail addresses: looked for from the at sign outwards, so that long texts without one cost nothing. */
import type { Finding } from './finding.js';

/** The sign itself, and as URLs and JSON write it. */
const signs = ['@', '%40', '\\u0040'] as const;
const localChar = /[A-Za-z0-9._%+'\u00c0-\u024f-]/;
const domainChar = /[A-Za-z0-9.\u00c0-\u024f-]/;
const longestLocal = 64;
const longestDomain = 253;
/** Users that are no persons: `git@github.com:team/project` is an address of a repository. */
const machineUsers: ReadonlySet<string> = new Set(['git', 'hg', 'svn']);

export function* findMail(text: string): Generator<Finding> {
  for (const sign of signs) {
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + sign.length)) {
      const found = addressAround(text, at, at + sign.length);
      if (found !== undefined) yield found;
    }
  }
}

function addressAround(text: string, at: number, after: number): Finding | undefined {
  let start = at;
  while (start > 0 && at - start < longestLocal && localChar.test(text.charAt(start - 1))) start -= 1;
  while (start < at && /[.'%-]/.test(text.charAt(start))) start += 1;
  let end = after;
  while (end < text.length && end - after < longestDomain && domainChar.test(text.charAt(end))) end += 1;
  while (end > after && /[.-]/.test(text.charAt(end - 1))) end -= 1;
  const local = text.slice(start, at);
  const domain = text.slice(after, end);
  if (local === '' || !isDomain(domain)) return undefined;
  if (machineUsers.has(local.toLowerCase()) && text.charAt(end) === ':') return undefined;
  return { kind: 'email', start, end };
}

/** `image@2x.png` is a file. */
const fileEndings = /^(?:png|jpe?g|gif|svg|webp|ico|js|mjs|ts|tsx|css|json|txt|csv|log|html?|xml|ya?ml)$/i;

/** At least two labels, the last one of letters: `foo@1.2.3` is a version. */
function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  return (
    labels.length >= 2 &&
    /^[A-Za-z]{2,24}$/.test(last) &&
    !fileEndings.test(last) &&
    labels.every((label) => label !== '' && !label.startsWith('-'))
  );
}
