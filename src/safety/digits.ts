/**
 * Digits in a text as groups in chains: `+86 138-1234-5678` is one chain of four groups. Built once, looked at by
 * everything that recognises numbers.
 */
export interface Group {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  /** What stands between the group before and this one; empty for the first. */
  readonly before: string;
}

export interface Chain {
  readonly groups: readonly Group[];
  /** A plus sign stands before the first group; this is its place. */
  readonly plusAt: number | undefined;
  /** A letter, or a letter and a joining mark, touches the first or the last group: it is part of a longer name. */
  readonly gluedBefore: boolean;
  readonly gluedAfter: boolean;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
/** `-`, `.`, `_`: what holds the parts of a name together. */
const isJoin = (code: number): boolean => code === 45 || code === 46 || code === 95;

/** Groups that are longer are no number of any kind. */
const longestGroup = 24;
const mostGroups = 8;

export function* chainsOf(text: string): Generator<Chain> {
  let i = 0;
  while (i < text.length) {
    if (!isDigit(text.charCodeAt(i))) {
      i += 1;
      continue;
    }
    const groups: Group[] = [];
    let before = '';
    for (;;) {
      let end = i;
      while (isDigit(text.charCodeAt(end))) end += 1;
      groups.push({ start: i, end, before, digits: end - i > longestGroup ? '' : text.slice(i, end) });
      i = end;
      const next = nextGroup(text, end);
      if (next === -1 || groups.length >= mostGroups) break;
      before = text.slice(end, next);
      i = next;
    }
    yield chain(text, groups);
  }
}

/** Where the next group of the chain begins: behind at most three separators; -1 when the chain ends. */
function nextGroup(text: string, from: number): number {
  for (let i = from; i < from + 4; i += 1) {
    if (isDigit(text.charCodeAt(i))) return i;
    if (!' -.()/·\u00a0'.includes(text.charAt(i)) || i >= text.length) return -1;
  }
  return -1;
}

function chain(text: string, groups: readonly Group[]): Chain {
  const start = groups[0]?.start ?? 0;
  const end = groups.at(-1)?.end ?? 0;
  // The sign may stand before a bracket: +(86).
  let at = start - 1;
  while (at >= start - 2 && ' ('.includes(text.charAt(at)) && at >= 0) at -= 1;
  const plusAt = text.charAt(at) === '+' ? at : undefined;
  const left = text.charCodeAt((plusAt ?? start) - 1);
  const right = text.charCodeAt(end);
  return {
    groups,
    plusAt,
    gluedBefore: isWord(left) || (isJoin(left) && isWord(text.charCodeAt((plusAt ?? start) - 2))),
    gluedAfter: isWord(right) || (isJoin(right) && isWord(text.charCodeAt(end + 1))),
  };
}

/** A new number may begin behind this separator: a blank, a slash, a bracket. A point, a hyphen goes on with the old one. */
export const isLoose = (separator: string): boolean => /[ /(\u00a0]/.test(separator);
