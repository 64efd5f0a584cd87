/** Network addresses, for policies that count them as personal: IPv4 and IPv6 hosts, not masks and not this machine. */
import type { Finding } from './finding.js';

const v4 = /(?<![\w.:/-])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w-]|\.\d)/g;
const v6 =
  /(?<![\w:.])(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}){1,6}(?![\w:])|(?<![\w:.])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi;

export function* findAddresses(text: string): Generator<Finding> {
  for (const match of text.matchAll(v4)) {
    if (/^(?:0|127|255)\./.test(match[0]) || /\.0$/.test(match[0])) continue;
    yield { kind: 'ip', start: match.index, end: match.index + match[0].length };
  }
  for (const match of text.matchAll(v6)) {
    const groups = match[0].split(':').length;
    // 12:34:56 is a time: an address has eight groups, or a double colon.
    if (groups !== 8 && !match[0].includes('::')) continue;
    yield { kind: 'ip', start: match.index, end: match.index + match[0].length };
  }
}
