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
    if (Array.isArray(island.value) || island.value === null || typeof island.value !== 'object') continue;
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

const LINE =
  /^[ \t]*(?:[-*•]|\d{1,2}[.)])?[ \t]*\**([\p{L}_][\p{L}\p{N}_ .-]{0,39})\**[ \t]*[:：=]\**[ \t]*(\S[^\n]{0,600})$/u;

function lines(
  body: string,
  source: 'comment' | 'line',
  position: number,
  put: (key: string, entry: StateEntry) => void,
): void {
  let offset = 0;
  for (const line of body.slice(0, 200_000).split('\n')) {
    const parts = source === 'comment' ? line.split(/[;；]/) : [line];
    for (const part of parts) {
      const match = part.length < 700 ? LINE.exec(part) : null;
      if (match === null || /\/\//.test((match[2] as string).slice(0, 2))) continue;
      const words = (match[1] as string).trim().split(/\s+/).length;
      if (words > 5) continue;
      put((match[1] as string).trim(), {
        value: scalarOf((match[2] as string).slice(0, MAX_VALUE)),
        source,
        confidence: source === 'comment' ? 0.85 : 0.7,
        position: position + offset,
      });
    }
    offset += line.length + 1;
  }
}

function scalarOf(raw: string): Json {
  const word = raw.trim().replace(/\*+$/, '').trim();
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return Number(word);
  if (/^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  return word.replace(/^(["'`])(.*)\1$/, '$2');
}
