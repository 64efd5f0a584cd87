/** The log of what the tolerant reader changed. Input plus log gives the valid JSON text that was then parsed. */
import { TextBuilder } from './text-builder.js';

export interface Edit {
  /** Offset in the text that was read. */
  readonly at: number;
  /** Characters taken out at that place. */
  readonly remove: number;
  /** What stands there instead. */
  readonly insert: string;
  /** Why, in a few words. */
  readonly rule: string;
}

/** Applies the edits to `text.slice(start, end)`. Edits may come in any order; at one place, what is put in comes before what is replaced. */
export function applyEdits(text: string, start: number, end: number, edits: readonly Edit[]): string {
  if (edits.length === 0) return text.slice(start, end);
  const sorted = inOrder(edits)
    ? edits
    : [...edits].sort((a, b) => a.at - b.at || Math.min(a.remove, 1) - Math.min(b.remove, 1));
  return edits.length <= FEW_EDITS ? joined(text, start, end, sorted) : built(text, start, end, sorted);
}

/** Up to so many, plain concatenation costs less than collecting the parts. */
const FEW_EDITS = 32;

function joined(text: string, start: number, end: number, edits: readonly Edit[]): string {
  let out = '';
  let at = start;
  for (const edit of edits) {
    if (edit.at > at) out += text.slice(at, edit.at);
    out += edit.insert;
    at = Math.max(at, edit.at + edit.remove);
  }
  return at < end ? out + text.slice(at, end) : out;
}

function built(text: string, start: number, end: number, sorted: readonly Edit[]): string {
  const out = new TextBuilder();
  let at = start;
  for (const edit of sorted) {
    if (edit.at > at) out.add(text.slice(at, edit.at));
    out.add(edit.insert);
    at = Math.max(at, edit.at + edit.remove);
  }
  if (at < end) out.add(text.slice(at, end));
  return out.toString();
}

/** The distinct rules of a log, in order of first use. */
export const rulesOf = (edits: readonly Edit[]): string[] => [...new Set(edits.map((edit) => edit.rule))];

function inOrder(edits: readonly Edit[]): boolean {
  let last = -1;
  let replaces = false;
  for (const { at, remove } of edits) {
    if (at < last || (at === last && replaces && remove === 0)) return false;
    last = at;
    replaces = remove > 0;
  }
  return true;
}
