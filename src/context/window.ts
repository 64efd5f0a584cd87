/** Fits a conversation into the model's window: whole while there is room, then pruned, then old rounds as one line each. Pure. */
import type { ChatMessage } from '../domain/chat.js';
import { type Detail, type Passage, render } from './transcript.js';

export interface WindowOptions {
  /** Tokens that the passages may take. */
  readonly roomTokens: number;
  /** Rounds at the end that stay whole as long as anything can. */
  readonly wholeRounds: number;
  /** Exact tokens of a message. */
  readonly count: (message: ChatMessage) => number;
  /** Remembers counts and renderings of passages that do not change any more. */
  readonly cache: RenderedCache;
}

export interface Rendered {
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
}

export type RenderedCache = WeakMap<Passage, Partial<Record<Detail, Rendered>>>;

export interface Fitted {
  readonly messages: ChatMessage[];
  readonly tokens: number;
  /** Share of the room taken, before anything was shortened. */
  readonly pressure: number;
  readonly detail: 'whole' | 'pruned' | 'line';
}

/** Old rounds are shortened from this share of the room on, so that there is room for what comes next. */
const pruneFrom = 0.7;

export function fitWindow(passages: readonly Passage[], options: WindowOptions): Fitted {
  const whole = build(passages, () => 'whole', options);
  const pressure = options.roomTokens <= 0 ? Infinity : whole.tokens / options.roomTokens;
  if (pressure <= pruneFrom) return { ...whole, pressure, detail: 'whole' };
  const young = youngFrom(passages, options.wholeRounds);
  for (const detail of ['pruned', 'line'] as const) {
    const shortened = build(passages, (index) => (index >= young ? 'whole' : detail), options);
    const limit = detail === 'pruned' ? pruneFrom : 1;
    if (shortened.tokens <= options.roomTokens * limit) return { ...shortened, pressure, detail };
  }
  return { ...shrink(passages, young, options), pressure, detail: 'line' };
}

/** Even the young rounds are too long: the oldest of them give way, the last round stays whole, notes that must stay do. */
function shrink(
  passages: readonly Passage[],
  young: number,
  options: WindowOptions,
): Rendered & { messages: ChatMessage[] } {
  for (let from = young; from < passages.length; from += 1) {
    const shortened = build(passages, (index) => (index >= from ? 'pruned' : 'line'), options);
    if (shortened.tokens <= options.roomTokens) return shortened;
  }
  const kept = passages.filter(
    (passage, index) => index >= passages.length - 1 || (passage.kind === 'note' && passage.keep),
  );
  return build(kept, () => 'line', { ...options, cache: new WeakMap() });
}

function youngFrom(passages: readonly Passage[], wholeRounds: number): number {
  let rounds = 0;
  for (let index = passages.length - 1; index >= 0; index -= 1) {
    if (passages[index]?.kind === 'round') rounds += 1;
    if (rounds === wholeRounds) return index;
  }
  return 0;
}

function build(
  passages: readonly Passage[],
  detailOf: (index: number) => Detail,
  { cache, count }: WindowOptions,
): { messages: ChatMessage[]; tokens: number } {
  const messages: ChatMessage[] = [];
  let tokens = 0;
  passages.forEach((passage, index) => {
    const detail = detailOf(index);
    const known = cache.get(passage);
    let rendered = known?.[detail];
    if (rendered === undefined) {
      const lines = render(passage, detail);
      rendered = { messages: lines, tokens: lines.reduce((sum, message) => sum + count(message), 0) };
      cache.set(passage, { ...known, [detail]: rendered });
    }
    messages.push(...rendered.messages);
    tokens += rendered.tokens;
  });
  return { messages, tokens };
}
