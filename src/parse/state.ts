/** Data that a reply mentions in passing, for the agent's working memory: comments, JSON values, `key: value` lines. */
import type { Json } from '../domain/json.js';
import type { Piece } from './piece.js';
import type { Island } from './scan-state.js';

export interface StateEntry {
  readonly value: Json;
  readonly source: 'comment' | 'json' | 'line' | 'inline';
  readonly confidence: number;
  /** Offset in the reply's text. When it was taken, the caller knows. */
  readonly position: number;
}

const MAX_ENTRIES = 100;
const MAX_VALUE = 500;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

export function stateOf(
  text: string,
  pieces: readonly Piece[],
  islands: readonly Island[],
): Record<string, StateEntry> {
  const state: Record<string, StateEntry> = {};
  let count = 0;
  const put = (key: string, entry: StateEntry): void => {
    if (count >= MAX_ENTRIES || FORBIDDEN.has(key) || key === '') return;
    const old = Object.hasOwn(state, key) ? state[key] : undefined;
    if (old === undefined) count++;
    if (old === undefined || entry.confidence >= old.confidence) state[key] = entry;
  };
  for (const island of islands) {
    for (const [key, value] of Object.entries(island.value))
      put(key, { value, source: 'json', confidence: 0.9, position: island.start });
  }
  for (const piece of pieces) {
    if (piece.kind !== 'comment' && piece.kind !== 'text') continue;
    const body =
      piece.kind === 'comment' ? text.slice(piece.start + 4, piece.end - 3) : text.slice(piece.start, piece.end);
    lines(body, piece.kind === 'comment' ? 'comment' : 'line', piece.start, put);
  }
  return state;
}

/** A list mark, and the key in any emphasis. */
const KEY = /^[ \t]*(?:[-*•]|\d{1,2}[.)])?[ \t]*\**([\p{L}_][\p{L}\p{N}_ .-]{0,39})\**[ \t]*$/u;
const VALUE = /^\**[ \t]*(\S[^\n]{0,600})$/;
/** How far into its line the separator of a pair can stand. */
const KEY_REACH = 72;

type Put = (key: string, entry: StateEntry) => void;

function lines(body: string, source: 'comment' | 'line', position: number, put: Put): void {
  const stop = Math.min(body.length, 200_000);
  for (let start = 0; start < stop; ) {
    const found = body.indexOf('\n', start);
    const end = found < 0 ? stop : Math.min(found, stop);
    if (source === 'line') pair(body, start, end, source, position, put);
    else
      for (let from = start; from < end; ) {
        const next = body.slice(from, end).search(/[;；]/);
        const to = next < 0 ? end : from + next;
        pair(body, from, to, source, position, put);
        from = to + 1;
      }
    start = end + 1;
  }
}

function pair(body: string, from: number, to: number, source: 'comment' | 'line', position: number, put: Put): void {
  const separator = separatorIn(body, from, Math.min(to, from + KEY_REACH));
  if (separator < 0 || to - from >= 700) return;
  const key = KEY.exec(body.slice(from, separator))?.[1]?.trim();
  if (key === undefined || key.split(/\s+/).length > 5) return;
  const value = VALUE.exec(body.slice(separator + 1, to))?.[1];
  if (value === undefined || value.startsWith('//')) return;
  put(key, {
    value: scalarOf(value.slice(0, MAX_VALUE)),
    source,
    confidence: source === 'comment' ? 0.85 : 0.7,
    position: position + from,
  });
}

function separatorIn(body: string, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    const code = body.charCodeAt(i);
    if (code === 58 || code === 61 || code === 0xff1a) return i;
  }
  return -1;
}

function scalarOf(raw: string): Json {
  const word = raw.trim().replace(/\*+$/, '').trim();
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return Number(word);
  if (/^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  return word.replace(/^(["'`])(.*)\1$/, '$2');
}
