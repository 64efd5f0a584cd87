/** What the steps of the walk share, and how they leave pieces and calls behind. */
import type { Json, JsonObject } from '../domain/json.js';
import type { MarkerTable } from './markers.js';
import type { NameIndex } from './name.js';
import type { Candidate, Piece, PieceKind, Unreadable, Withheld } from './piece.js';
import type { Original } from './rewrite.js';
import { isObject } from './schema.js';
import type { Lookup } from './token.js';
import type { Ahead } from './xml-value.js';

export interface ScanOptions {
  readonly table: MarkerTable;
  readonly index: NameIndex;
  /** `lookupOf(table)`. */
  readonly lookup: Lookup;
  /** Calls found here do not count, for this reason; reasoning tags are not looked for. */
  readonly withheld?: Withheld;
  /** The reply as it was before spellings were rewritten. */
  readonly original?: Original;
  /** The prompt ended with an opened reasoning tag. */
  readonly reasoningOpen?: boolean;
}

/** What the steps share. Positions are offsets in `text`. */
export interface ScanState {
  readonly text: string;
  readonly options: ScanOptions;
  readonly pieces: Piece[];
  readonly candidates: Candidate[];
  readonly unreadable: Unreadable[];
  /** JSON values in the text that are no calls. */
  readonly islands: Island[];
  /** Text from here on has not been put into a piece. */
  textFrom: number;
  /** Set between a call marker and its end. */
  marked: { from: number; readonly opened: number; calls: number; readonly word: string } | undefined;
  fence: { readonly piece: Piece; readonly from: number; readonly calls: number } | undefined;
  /** Work that structural readings may still do; see `spend`. */
  budget: number;
  /** Where the first reading was left out because nothing was left of it. */
  starvedAt: number | undefined;
  /** Names of all tools in lower case, once they were needed. */
  tools: ReadonlySet<string> | undefined;
  /** What looking behind the ends of arguments in tags may still cost. */
  readonly ahead: Ahead;
  /** The walk itself, for stretches whose calls do not count. */
  readonly scan: (text: string, options: ScanOptions) => Scan;
  /** Some reasoning was seen. */
  reasoned: boolean;
  /** Expressions for pairs of reasoning tags, by name. */
  families: Map<string, RegExp> | undefined;
  /** By number of backticks: where the next line is that holds as many and nothing else, as far as it was looked for. */
  fenceLines: Map<number, number> | undefined;
  /** A name was met in a sentence that speaks of calling it. */
  told: boolean;
  /** A final answer was labelled: actions behind it are no part of the turn. */
  answered: boolean;
  /** A made-up observation was seen: later calls build on it. */
  observed: boolean;
}

export interface Island {
  readonly start: number;
  readonly value: JsonObject;
}

/** More than this many objects in passing are not kept. */
const MAX_ISLANDS = 200;

/** Keeps an object that is no call: what it says is data for the state map. */
export function noteIsland(state: ScanState, start: number, value: Json): void {
  if (state.islands.length < MAX_ISLANDS && isObject(value)) state.islands.push({ start, value });
}

export interface Scan {
  readonly pieces: readonly Piece[];
  readonly candidates: readonly Candidate[];
  readonly unreadable: readonly Unreadable[];
  readonly islands: readonly Island[];
}

/** A step reads what begins at `at` and returns where to go on; undefined when nothing begins there. */
export type Step = (state: ScanState, at: number) => number | undefined;

/** Where the last piece ends; 0 before the first. */
export function lastEnd({ pieces }: ScanState): number {
  return pieces.length === 0 ? 0 : (pieces[pieces.length - 1] as Piece).end;
}

/** Puts the text since the last piece into a piece of its own. */
export function flushText(state: ScanState, upTo: number): void {
  if (upTo > state.textFrom) state.pieces.push({ kind: 'text', start: state.textFrom, end: upTo });
  state.textFrom = Math.max(state.textFrom, upTo);
}

/** Adds a piece; text before it becomes a piece too. Returns its end, where the walk goes on. */
export function pushPiece(state: ScanState, piece: Piece): number {
  flushText(state, piece.start);
  state.pieces.push(piece);
  state.textFrom = piece.end;
  return piece.end;
}

export function markup(state: ScanState, start: number, end: number): number {
  const last = state.pieces.at(-1);
  if (last?.kind !== 'markup' || last.end !== start || state.textFrom !== start)
    return pushPiece(state, { kind: 'markup', start, end });
  last.end = end;
  state.textFrom = end;
  return end;
}

/** What a structural reading costs besides the characters that it looks at. */
const READING = 16;

/** Takes a structural reading off the budget, which keeps text that begins everywhere and ends nowhere linear. */
export function spend(state: ScanState, looked: number): void {
  state.budget -= READING + looked;
}

/** A valid value that is no call: it is not looked at again, so that its length costs nothing. */
export function passOver(state: ScanState): void {
  state.budget -= READING / 2;
}

/** Whether a structural reading at `at` may be tried. */
export function affords(state: ScanState, at: number): boolean {
  if (state.budget > 0) return true;
  state.starvedAt ??= at;
  return false;
}

/** Adds reasoning and notes the calls inside it, which never run. */
export function pushReasoning(
  state: ScanState,
  start: number,
  end: number,
  inner: readonly [number, number],
  unclosed: boolean,
): number {
  pushPiece(state, { kind: 'reasoning', start, end, inner, ...(unclosed ? { unclosed } : {}) });
  state.reasoned = true;
  noteInside(state, inner[0], inner[1], 'reasoning');
  state.marked = undefined;
  return end;
}

/** Every layout of a call has one of these. */
const CALL_CHARACTERS = /[{[(<:：｛［◁]/;

/** Looks for calls in a stretch that does not count, so that they can be reported. */
export function noteInside(state: ScanState, from: number, to: number, withheld: Withheld): void {
  if (state.options.withheld !== undefined || to - from < 8) return;
  const text = state.text.slice(from, to);
  if (!CALL_CHARACTERS.test(text)) return;
  const { table, index, lookup } = state.options;
  const inner = state.scan(text, { table, index, lookup, withheld });
  for (const candidate of inner.candidates) {
    state.candidates.push({ ...candidate, start: candidate.start + from, end: candidate.end + from, withheld });
  }
}

/** Takes back the pieces that begin at or after `from`, as when a marker and a header turn out to belong to a call. */
export function retract(state: ScanState, from: number): void {
  while (state.pieces.length > 0 && (state.pieces[state.pieces.length - 1] as Piece).start >= from) state.pieces.pop();
  const last = state.pieces[state.pieces.length - 1];
  if (last !== undefined && last.end > from && (last.kind === 'text' || last.kind === 'markup')) last.end = from;
  state.textFrom = Math.max(from, last?.end ?? 0);
}

/** Adds a call that spans from `start`; pieces from there on are replaced. */
export function pushCall(state: ScanState, start: number, candidate: Candidate): number {
  flushText(state, Math.max(start, state.textFrom));
  retract(state, start);
  const withheld =
    candidate.withheld ??
    state.options.withheld ??
    (state.observed ? ('after output' as const) : undefined) ??
    (state.answered && state.marked?.word === 'label' ? ('after answer' as const) : undefined);
  state.candidates.push({ ...candidate, start, ...(withheld === undefined ? {} : { withheld }) });
  if (state.marked !== undefined) {
    state.marked.from = candidate.end;
    state.marked.calls++;
  }
  return pushPiece(state, {
    kind: 'call' satisfies PieceKind,
    start: Math.max(start, state.textFrom),
    end: candidate.end,
  });
}
