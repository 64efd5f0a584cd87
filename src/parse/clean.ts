/** The visible text of a reply: what is left when reasoning, calls, comments and control tokens are taken out. */
import type { Piece } from './piece.js';

/** Closers, separators and empty tags that belong to a call beside them. */
const REMAINS = /^[\s;,，\]}｝］)`*]*$/;
const TAG_BEFORE = /(?:<[^<>\n/]{1,60}>|\[[A-Z][A-Z_ ]{2,30}\])\s*$/;
const TAG_AFTER = /^[\s;,\]}]*<\/[^<>\n]{1,60}>/;

export function visibleText(text: string, pieces: readonly Piece[], from = 0, to = text.length): string {
  const out: string[] = [];
  pieces.forEach((piece, i) => {
    if (piece.kind !== 'text' && piece.kind !== 'fence') return;
    const start = Math.max(piece.start, from);
    const end = Math.min(piece.end, to);
    if (end <= start) return;
    let part = text.slice(start, end);
    const before = pieces[i - 1]?.kind;
    const after = pieces[i + 1]?.kind;
    const beside = before === 'call' || after === 'call' || before === 'markup' || after === 'markup';
    if (beside && piece.kind === 'text') {
      if (REMAINS.test(part)) part = part.includes('\n') ? '\n' : ' ';
      else if (before === 'call' && after === undefined && /^[\s;,\]}]*[\]}]\s/.test(part))
        part = part.replace(/^[\s;,\]}]+/, '\n');
      if (after === 'call' && TAG_BEFORE.test(part) && closesAfter(text, pieces[i + 1] as Piece))
        part = part.replace(TAG_BEFORE, '');
      if (before === 'call' && TAG_AFTER.test(part)) part = part.replace(TAG_AFTER, '');
    }
    out.push(part);
  });
  return tidy(out.join(''));
}

const closesAfter = (text: string, call: Piece): boolean =>
  /^[\s;,\]}]*(?:<\/|<[|｜]|\[\/)/.test(text.slice(call.end, call.end + 40)) || text.slice(call.end).trim() === '';

/** Trailing spaces and runs of empty lines go; the words stay as they are. */
export const tidy = (text: string): string =>
  text
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The text straight before an offset, over fences and markers but not over calls and the like. */
export function leadTo(text: string, pieces: readonly Piece[], offset: number): string {
  let i = firstFrom(pieces, offset) - 1;
  let end = offset;
  for (; i >= 0; i--) {
    const piece = pieces[i] as Piece;
    if (piece.kind === 'fence' || piece.kind === 'markup') end = piece.start;
    else if (piece.kind !== 'text') return '';
    else if (text.slice(piece.start, Math.min(piece.end, end)).trim() !== '')
      return text.slice(Math.max(piece.start, piece.end - 300), Math.min(piece.end, end));
  }
  return '';
}

/** Index of the first piece that begins at or after `offset`; pieces lie in order. */
function firstFrom(pieces: readonly Piece[], offset: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle] as Piece).start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
