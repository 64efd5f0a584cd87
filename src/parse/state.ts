/** Data that a reply mentions in passing, for the agent's working memory: comments, JSON values, lines and figures. */
import type { Json } from '../domain/json.js';
import { factsIn } from './facts.js';
import { figuresIn } from './figures.js';
import type { Piece } from './piece.js';
import type { Island } from './scan-state.js';

export interface StateEntry {
  readonly value: Json;
  readonly source: 'comment' | 'json' | 'line' | 'inline';
  readonly confidence: number;
  /** Offset in the reply's text. When it was taken, the caller knows. */
  readonly position: number;
  /** Of a figure: currency, percent sign or measure. */
  readonly unit?: string;
}

const MAX_ENTRIES = 100;
const MAX_READ = 200_000;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const SETTINGS = /^\s*```\s*(?:ya?ml|toml|ini|env|dotenv|properties|conf)\b/i;

/** What stands in a fence is code, unless its language says that it holds settings. */
type Fence = 'none' | 'code' | 'settings';

type Put = (key: string, entry: StateEntry) => void;

export function stateOf(
  text: string,
  pieces: readonly Piece[],
  islands: readonly Island[],
): Record<string, StateEntry> {
  const state: Record<string, StateEntry> = {};
  let count = 0;
  const put: Put = (key, entry) => {
    if (count >= MAX_ENTRIES || FORBIDDEN.has(key) || key === '') return;
    const old = Object.hasOwn(state, key) ? state[key] : undefined;
    if (old === undefined) count++;
    if (old === undefined || entry.confidence >= old.confidence) state[key] = entry;
  };
  for (const island of islands) putObject(island.value, 'json', 0.9, island.start, put);
  let fence: Fence = 'none';
  for (const { kind, start, end } of pieces) {
    const body = text.slice(start, Math.min(end, start + MAX_READ));
    if (kind === 'comment') fromComment(text.slice(start + 4, end - 3), start + 4, put);
    else if (kind === 'text' || kind === 'fence') {
      const read = withoutCode(body, fence);
      fence = read.fence;
      if (kind === 'text') fromText(read, start, put);
    }
  }
  return state;
}

function putObject(value: Json, source: 'json' | 'comment', confidence: number, position: number, put: Put): void {
  if (Array.isArray(value) || value === null || typeof value !== 'object') return;
  for (const [key, item] of Object.entries(value)) put(key, { value: item, source, confidence, position });
}

/** Facts, or an object, perhaps behind a word: `state: {"step": 2}`. */
function fromComment(body: string, position: number, put: Put): void {
  const brace = body.search(/\{/);
  if (brace !== -1 && /^\s*(?:[\w-]+\s*[:=]?\s*)?$/.test(body.slice(0, brace))) {
    try {
      putObject(JSON.parse(body.slice(brace)) as Json, 'comment', 0.9, position + brace, put);
      return;
    } catch {
      // Not an object after all: read as facts.
    }
  }
  for (const fact of factsIn(body.slice(0, MAX_READ), /[;；]/))
    put(fact.key, { value: fact.value, source: 'comment', confidence: 0.85, position: position + fact.position });
}

interface Prose {
  readonly lines: string;
  /** As `lines`, without settings and code spans. */
  readonly sentences: string;
  readonly fence: Fence;
}

/** Code is blanked, so that offsets stay. */
function withoutCode(body: string, before: Fence): Prose {
  if (before === 'none' && !body.includes('`')) return { lines: body, sentences: body, fence: before };
  let fence = before;
  const lines: string[] = [];
  const sentences: string[] = [];
  for (const line of body.split('\n')) {
    const blank = ' '.repeat(line.length);
    if (/^\s*```/.test(line)) fence = fence !== 'none' ? 'none' : SETTINGS.test(line) ? 'settings' : 'code';
    const isFence = /^\s*```/.test(line);
    lines.push(isFence || fence === 'code' ? blank : line);
    sentences.push(
      isFence || fence !== 'none' ? blank : line.replaceAll(/`[^`]*`/g, (code) => ' '.repeat(code.length)),
    );
  }
  return { lines: lines.join('\n'), sentences: sentences.join('\n'), fence };
}

function fromText({ lines, sentences }: Prose, position: number, put: Put): void {
  for (const fact of factsIn(lines))
    put(fact.key, { value: fact.value, source: 'line', confidence: 0.7, position: position + fact.position });
  if (!/\d/.test(sentences)) return;
  for (const { key, value, unit, confidence, position: at } of figuresIn(sentences))
    put(key, {
      value,
      source: 'inline',
      confidence,
      position: position + at,
      ...(unit === undefined ? {} : { unit }),
    });
}
