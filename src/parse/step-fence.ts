/** Code fences and inline code. A fence that holds nothing but calls is markup; inline code is a quotation. */
import { lineEnd, lineStart } from './line.js';
import type { Piece } from './piece.js';
import { flushText, noteInside, pushPiece, type ScanState } from './scan-state.js';
import { opensShown } from './wording/placeholder.js';

const INLINE_REACH = 2000;

export function stepBacktick(state: ScanState, at: number): number | undefined {
  const { text } = state;
  if (text.startsWith('```', at)) return fence(state, at);
  const ticks = text[at + 1] === '`' ? 2 : 1;
  const from = at + ticks;
  const close = text.slice(from, from + INLINE_REACH).search(ticks === 2 ? /``|\n/ : /[`\n]/);
  if (close < 0 || text[from + close] === '\n') return ticks === 2 ? from : undefined;
  const end = from + close + ticks;
  if (standsAlone(text, at, end)) return undefined;
  noteInside(state, from, end - ticks, 'quoted');
  return end;
}

/** Nothing else stands on the line: the backticks only frame it. */
function standsAlone(text: string, at: number, end: number): boolean {
  if (!/^[ \t]*(?:\n|$)/.test(text.slice(end, end + 40))) return false;
  return text.slice(lineStart(text, at, 200), at).trim() === '';
}

/** What stands behind the marks of a fence, commonly a language. */
const INFO = /[ \t]{0,20}[\w\u4e00-\u9fff+\-.]{0,40}[ \t]{0,20}/y;

function fence(state: ScanState, at: number): number {
  const { text } = state;
  if (state.fence !== undefined) {
    flushText(state, at);
    stepFenceEnd(state, at);
    let end = at + 3;
    while (text[end] === '`') end++;
    const used = (state.pieces[state.pieces.length - 1] as Piece).kind === 'call' || lastFenceUsed(state);
    return pushPiece(state, { kind: used ? 'markup' : 'fence', start: at, end });
  }
  let body = at + 3;
  while (text[body] === '`') body++;
  INFO.lastIndex = body;
  const info = INFO.exec(text)?.[0] ?? '';
  const language = info.trim().toLowerCase();
  const calls = state.options.table.fences.includes(language) || language.endsWith('json');
  if (!calls || opensShown(text.slice(body, lineEnd(text, body, 120)))) return skipCode(state, at, body);
  const piece: Piece = { kind: 'fence', start: at, end: body + info.length };
  pushPiece(state, piece);
  state.fence = { piece, from: piece.end, calls: state.candidates.length };
  return piece.end;
}

/** Marks a fence as markup when calls were all it held. */
export function stepFenceEnd(state: ScanState, _at: number): void {
  const { fence: open, pieces } = state;
  if (open === undefined) return;
  state.fence = undefined;
  if (state.candidates.length === open.calls) return;
  const first = pieces.lastIndexOf(open.piece);
  if (first < 0) return;
  const rest = pieces
    .slice(first + 1)
    .every((piece) => piece.kind !== 'text' || state.text.slice(piece.start, piece.end).trim() === '');
  if (rest) open.piece.kind = 'markup';
}

function lastFenceUsed(state: ScanState): boolean {
  for (let i = state.pieces.length - 1; i >= 0; i--) {
    const piece = state.pieces[i] as Piece;
    if (piece.kind === 'call') return true;
    if (piece.kind === 'text' && state.text.slice(piece.start, piece.end).trim() !== '') return false;
    if (piece.kind === 'fence') return false;
  }
  return true;
}

/** A block in a programming language is text, whatever it holds. */
function skipCode(state: ScanState, at: number, from: number): number {
  const ticks = '`'.repeat(Math.min(from - at, mostTicks));
  const close = closeOf(state, ticks, from);
  const end = close < 0 ? state.text.length : close + ticks.length;
  noteInside(state, at, close < 0 ? end : close, 'example');
  return end;
}

const mostTicks = 16;

/** A fence ends with as many backticks as it began with, or more, alone on a line; without such a line, with the first. */
function closeOf(state: ScanState, ticks: string, from: number): number {
  const { text } = state;
  state.fenceLines ??= new Map();
  let line = state.fenceLines.get(ticks.length) ?? -1;
  if (line < from) {
    line = fenceLine(text, ticks, from);
    state.fenceLines.set(ticks.length, line);
  }
  return line < text.length ? line : text.indexOf(ticks, from);
}

/** The next run of at least these backticks that stands alone on its line, or infinity. */
function fenceLine(text: string, ticks: string, from: number): number {
  for (let at = text.indexOf(ticks, from); at >= 0; ) {
    let start = at;
    while (start > from && isIndent(text.charCodeAt(start - 1))) start--;
    let end = at + ticks.length;
    while (text.charCodeAt(end) === 96) end++;
    const run = end;
    while (isSpace(text.charCodeAt(end))) end++;
    const begins = start === from || isBreak(text.charCodeAt(start - 1));
    if (begins && (end >= text.length || isBreak(text.charCodeAt(end)))) return at;
    at = text.indexOf(ticks, run);
  }
  return Number.POSITIVE_INFINITY;
}

const isBreak = (code: number): boolean => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
const isSpace = (code: number): boolean => code === 32 || code === 9;
const isIndent = (code: number): boolean => isSpace(code) || code === 62;
