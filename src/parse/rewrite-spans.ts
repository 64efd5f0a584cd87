/** A text that was rewritten, and what stood in the reply before: argument text goes to its tool as the model wrote it. */
import { TextBuilder } from './text-builder.js';

export interface Change {
  readonly at: number;
  /** Characters taken out. */
  readonly remove: number;
  readonly insert: string;
}

/** A stretch of the rewritten text and the text that it stands for. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly original: string;
}

/** One rule at work: the text before it, and its changes, in order and without overlaps. */
export interface Step {
  readonly text: string;
  readonly changes: readonly Change[];
}

/** The text after a step. */
export function applied({ text, changes }: Step): string {
  const out = new TextBuilder();
  let at = 0;
  for (const change of changes) {
    out.add(text.slice(at, change.at));
    out.add(change.insert);
    at = change.at + change.remove;
  }
  out.add(text.slice(at));
  return out.toString();
}

/** What all steps changed, as spans of the text after the last one. */
export const spansOf = (steps: readonly Step[]): readonly Span[] => steps.reduce(spansAfter, []);

/** Remembers what stood at each change. A change that cuts an earlier one takes all of it into its span. */
function spansAfter(spans: readonly Span[], { text, changes }: Step): Span[] {
  const next: Span[] = [];
  let shift = 0;
  let old = 0;
  for (const { at, remove, insert } of changes) {
    for (; old < spans.length && (spans[old] as Span).end <= at; old++) next.push(moved(spans[old] as Span, shift));
    const first = old;
    while (old < spans.length && (spans[old] as Span).start < at + remove) old++;
    const start = Math.min(at, spans[first]?.start ?? at);
    const end = Math.max(at + remove, old > first ? (spans[old - 1] as Span).end : 0);
    const original = old === first ? text.slice(start, end) : restored(text, spans.slice(first, old), start, end);
    const grown = insert.length - remove;
    next.push({ start: start + shift, end: end + shift + grown, original });
    shift += grown;
  }
  for (; old < spans.length; old++) next.push(moved(spans[old] as Span, shift));
  return next;
}

const moved = ({ start, end, original }: Span, by: number): Span => ({ start: start + by, end: end + by, original });

/** The spans that begin between two offsets. */
export function spansIn(spans: readonly Span[], from: number, to: number): readonly Span[] {
  const first = firstFrom(spans, from);
  return spans.slice(first, firstFrom(spans, to));
}

/** Whether an offset lies inside a span. */
export function straddles(spans: readonly Span[], offset: number): boolean {
  const before = spans[firstFrom(spans, offset) - 1];
  return before !== undefined && before.end > offset;
}

function firstFrom(spans: readonly Span[], offset: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The text between two offsets with its spans undone. */
export function restored(text: string, spans: readonly Span[], from: number, to: number): string {
  let out = '';
  let at = from;
  for (const span of spans) {
    out += text.slice(at, span.start) + span.original;
    at = span.end;
  }
  return at < to ? out + text.slice(at, to) : out;
}
