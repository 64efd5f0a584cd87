/** Cuts reasoning into thoughts: sentences and list items with their offsets. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A full stop, question or exclamation mark that may end a sentence, with closing quotes. */
const endPattern = /(?<![.!?])[.!?]+["”')\]]*(?=\s|$)|[。！？!?…]+["”」』’）)]*/g;
/** What a full stop belongs to rather than ends. */
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|nr|fig|eq|dr|mr|mrs|ms|st|prof|inc|ltd)\.$/i;
const listNumber = /^\s*\(?\d{1,2}\.$/;

/** Sentences in order; line breaks end one, fenced blocks belong to the sentence before. At most `most`. */
export function sentencesOf(text: string, most: number): Span[] {
  const found: Span[] = [];
  let fenced = false;
  let start = 0;
  while (start < text.length && found.length < most) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (fenced || fence) {
      const last = found.at(-1);
      if (last !== undefined) found[found.length - 1] = { start: last.start, end };
      if (fence) fenced = !fenced;
    } else sentencesOfLine(line, start, found);
    start = end + 1;
  }
  return found.slice(0, most);
}

function sentencesOfLine(line: string, offset: number, found: Span[]): void {
  let start = 0;
  const add = (end: number): void => {
    const raw = line.slice(start, end);
    const from = start + raw.length - raw.trimStart().length;
    const to = start + raw.trimEnd().length;
    if (to > from && /[\p{L}\p{N}]/u.test(raw)) found.push({ start: offset + from, end: offset + to });
    start = end;
  };
  for (const match of line.matchAll(endPattern)) {
    const end = match.index + match[0].length;
    if (end < line.length && !endsHere(line, start, end, match[0])) continue;
    add(end);
  }
  if (start < line.length) add(line.length);
}

function endsHere(line: string, start: number, end: number, mark: string): boolean {
  if (mark === '.' && abbreviation.test(line.slice(Math.max(start, end - 8), end))) return false;
  if (mark.startsWith('.') && /^\s+\p{Ll}/u.test(line.slice(end, end + 4))) return false;
  if (end - start > longestFragment) return true;
  const part = line.slice(start, end);
  return !listNumber.test(part) && !isFragment(part);
}

const longestFragment = 24;

/** `Hmm. Wait.`, `不对！`: says something only together with what follows. */
const isFragment = (sentence: string): boolean =>
  sentence.split(/[.!?…。！？]/).every((part) => {
    const bare = part.replaceAll(/[^\p{L}\p{N}\s]/gu, '').trim();
    return /[\u4e00-\u9fff]/.test(bare) ? bare.length <= 2 : !/\s/.test(bare);
  });
