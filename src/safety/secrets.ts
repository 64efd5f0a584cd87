/** Values that are known to be secret, in the forms in which they may turn up. */
import type { Finder, Finding } from './finding.js';

/** Shorter ones would be found everywhere. */
const shortest = 8;

export function findSecrets(secrets: readonly string[]): Finder {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf))];
  return function* (text): Generator<Finding> {
    for (const form of forms) {
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
        yield { kind: 'secret', start: at, end: at + form.length };
      }
    }
  };
}

/** As it is, URL-encoded, escaped in JSON, and in base64 at each of the three positions that it can have there. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // The first and the last character mix with what stands around the secret.
    return encoded.slice(shift === 0 ? 0 : shift + 1, -1);
  });
  const web = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64, ...web];
}
