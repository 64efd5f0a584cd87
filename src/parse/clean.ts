/** The visible text of a reply: what is left when reasoning, calls, comments and control tokens are taken out. */
import { lineEnd } from './line.js';
import type { Piece } from './piece.js';
import { TextBuilder } from './text-builder.js';
import type { Lead } from './wording/lead.js';

/** How far back the words before a call are looked at. */
const LEAD_REACH = 300;

/** Closers, separators and empty tags that belong to a call beside them. */
const REMAINS = /^[\s;,，\]}｝］)`*]*$/;
const TAG_BEFORE = /(?:<[^<>\n/]{1,60}>|\[[A-Z][A-Z_ ]{2,30}\])\s*$/;
const TAG_AFTER = /^[\s;,\]}]*<\/[^<>\n]{1,60}>/;

export function visibleText(text: string, pieces: readonly Piece[], from = 0, to = text.length): string {
  const out: string[] = [];
  for (let i = Math.max(0, firstFrom(pieces, from) - 1); i < pieces.length; i++) {
    const piece = pieces[i] as Piece;
    if (piece.start >= to) break;
    if (piece.kind !== 'text' && piece.kind !== 'fence') continue;
    const start = Math.max(piece.start, from);
    const end = Math.min(piece.end, to);
    if (end <= start) continue;
    let part = text.slice(start, end);
    const before = pieces[i - 1]?.kind;
    const after = pieces[i + 1]?.kind;
    const beside = before === 'call' || after === 'call' || before === 'markup' || after === 'markup';
    if (beside && piece.kind === 'text') {
      if (part.length < 200 && REMAINS.test(part)) part = part.includes('\n') ? '\n' : ' ';
      else if (before === 'call' && after === undefined && /^[\s;,\]}]*[\]}]\s/.test(part))
        part = part.replace(/^[\s;,\]}]+/, '\n');
      if (after === 'call' && closesAfter(text, pieces[i + 1] as Piece)) part = withoutTagBefore(part);
      if (before === 'call' && TAG_AFTER.test(part)) part = part.replace(TAG_AFTER, '');
    }
    out.push(part);
  }
  return tidy(out.join(''));
}

function withoutTagBefore(part: string): string {
  const cut = Math.max(0, part.length - 80);
  return part.slice(0, cut) + part.slice(cut).replace(TAG_BEFORE, '');
}

const closesAfter = (text: string, call: Piece): boolean =>
  /^[\s;,\]}]*(?:<\/|<[|｜]|\[\/)/.test(text.slice(call.end, call.end + 40)) || text.slice(call.end).trim() === '';

/** Trailing spaces and runs of empty lines go; the words stay as they are. */
export function tidy(text: string): string {
  const out = new TextBuilder();
  let from = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at)) {
    let start = at;
    while (start > from && isBlank(text.charCodeAt(start - 1))) start--;
    let lines = 0;
    let last = at;
    for (; at < text.length && isBlank(text.charCodeAt(at)); at++) {
      if (text.charCodeAt(at) !== 10) continue;
      lines++;
      last = at;
    }
    if (last - start + 1 <= 2 && last - start + 1 === lines) continue;
    out.add(text.slice(from, start));
    out.add(lines > 1 ? '\n\n' : '\n');
    from = last + 1;
  }
  if (from === 0) return text.trim();
  out.add(text.slice(from));
  return out.toString().trim();
}

/** White space of any kind; almost always told by the code alone. */
const isBlank = (code: number): boolean =>
  code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code > 127 && /\s/.test(String.fromCharCode(code));

/** The text straight before an offset, over fences and markers, and whether it stands behind a call. */
export function leadTo(text: string, pieces: readonly Piece[], offset: number): Lead {
  let lead = '';
  let end = offset;
  for (let i = firstFrom(pieces, offset) - 1, looks = 0; i >= 0 && looks < 12; i--, looks++) {
    const piece = pieces[i] as Piece;
    if (piece.kind === 'call') return { text: lead, afterCall: true };
    if (piece.kind === 'text') {
      const part = text.slice(Math.max(piece.start, piece.end - LEAD_REACH), Math.min(piece.end, end));
      lead = part + lead;
      if (lead.length >= LEAD_REACH) break;
    } else if (piece.kind !== 'fence' && piece.kind !== 'markup') break;
    end = piece.start;
  }
  return { text: lead, afterCall: false };
}

/** The text straight behind an offset up to the end of its line, over markers but not over calls and the like. */
export function followOf(text: string, pieces: readonly Piece[], offset: number): string {
  for (let i = firstFrom(pieces, offset), looks = 0; i < pieces.length && looks < 12; i++, looks++) {
    const piece = pieces[i] as Piece;
    if (piece.kind === 'markup') continue;
    if (piece.kind !== 'text') return '';
    if (pieces[i + 1]?.kind === 'markup' && text.slice(piece.start, piece.end).trim() === '') continue;
    return text.slice(piece.start, lineEnd(text, piece.start, Math.min(80, piece.end - piece.start)));
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
