/** Redacts a text that comes in pieces: what comes out is the same however it was cut. */
import { pemEnd } from './keys.js';
import type { Redactor } from './redact.js';

export interface RedactingStream {
  /** What can be shown so far. */
  push(chunk: string): string;
  end(): string;
}

/** Characters before a piece that decide what it is (`phone:`, `Bearer`), kept though they were shown. */
const contextChars = 64;
/** The end of the text may be half of something: so much is held back, from a word's beginning. */
const heldChars = 160;
/** A text without any gap is cut here; longer than any key. */
const mostHeld = 65_536;

export function createRedactingStream(redactor: Redactor): RedactingStream {
  /** Text from the last cut on, after some that was shown already and is only context. */
  let text = '';
  let shown = 0;
  /** Within a private key so long that its placeholder was shown before its end came. */
  let inKey = false;
  const take = (to: number): string => {
    let out = '';
    let from = shown;
    for (const { kind, start, end } of redactor.find(text)) {
      if (end <= from || start >= to) continue;
      out += `${text.slice(from, Math.max(from, start))}[${kind}]`;
      from = end;
      inKey = kind === 'private-key' && end === text.length && !endsKey(text);
    }
    const upTo = Math.max(from, to);
    out += text.slice(from, upTo);
    const keep = inKey ? upTo : Math.max(0, upTo - contextChars);
    text = text.slice(keep);
    shown = upTo - keep;
    return out;
  };
  return {
    push(chunk) {
      text += chunk;
      if (inKey) {
        const rest = behindKey(text);
        // The end mark may be cut in two: its beginning stays.
        text = rest ?? text.slice(-heldChars);
        if (rest === undefined) return '';
        inKey = false;
      }
      if (text.length - shown <= heldChars) return '';
      const forced = text.length - shown > mostHeld;
      const to = forced ? text.length - heldChars : cutBefore(text, shown, redactor);
      return to <= shown ? '' : take(to);
    },
    end: () => (inKey ? '' : take(text.length)),
  };
}

const endsKey = (text: string): boolean => new RegExp(`${pemEnd.source}$`).test(text.slice(-100));

function behindKey(text: string): string | undefined {
  const end = new RegExp(pemEnd.source).exec(text);
  return end === null ? undefined : text.slice(end.index + end[0].length);
}

/** The last gap between two words, neither of them a number, that lies in no finding and well before the end. */
function cutBefore(text: string, shown: number, redactor: Redactor): number {
  const open = redactor.find(text).filter((finding) => finding.end > shown);
  for (let at = text.length - heldChars; at > shown; at -= 1) {
    if (!isGap(text, at)) continue;
    const inside = open.find((finding) => finding.start < at && finding.end > at);
    if (inside === undefined) return at;
    at = inside.start + 1;
  }
  return shown;
}

/** `at` begins a word behind a blank, and digits stand on neither side. */
const isGap = (text: string, at: number): boolean =>
  /\s/.test(text.charAt(at - 1)) &&
  /[^\s\d+()\-./]/.test(text.charAt(at)) &&
  !/[\d+()\-./]\s*$/.test(text.slice(Math.max(0, at - 4), at));
