/** Spellings that are brought to their common form before the walk: decorated tags, element tokens, escaped markup. */
import { decorationsIn } from './decoration.js';
import type { MarkerTable } from './markers.js';
import { applied, type Change, restored, type Span, type Step, spansIn, spansOf, straddles } from './rewrite-spans.js';
import type { Rewrite } from './spellings.js';
import { TextBuilder } from './text-builder.js';

export interface Rewritten {
  readonly text: string;
  /** Rules that applied; offsets refer to the rewritten text when there are any. */
  readonly repairs: readonly string[];
  readonly original: Original;
}

/** What stood in the reply where the rewritten text has `from` to `to`; undefined when that is the same, or begins or ends in what was rewritten. */
export type Original = (from: number, to: number) => string | undefined;

const FILL_MAX = 200;
const ENDING = 40;
const ENDS_WITH_CALL = /\)\s*\]\s*$/;
const WORD = /^[\p{L}_][\p{L}\p{N}_.:-]*$/u;

/** The entry that a rewrite leaves in the repair log. */
export const rewriteRepair = (from: string): string => `"${from.split('$')[0]}" read as common markup`;

export function rewrite(source: string, table: MarkerTable): Rewritten {
  // A native call has no text beside it.
  if (source === '') return { text: '', repairs: [], original: SAME };
  let text = source;
  const steps: Step[] = [];
  const repairs: string[] = [];
  let begins = beginningsIn(text);
  for (const rule of table.rewrites) {
    if (!begins(rule.from.charAt(0)) || (rule.last === true && !ENDS_WITH_CALL.test(text.slice(-ENDING)))) continue;
    const [head, tail] = rule.from.split('$') as [string, string | undefined];
    if (!begins(head) || !text.includes(head)) continue;
    const changes = changesOf(text, head, tail, rule);
    if (changes.length === 0) continue;
    const step = { text, changes };
    steps.push(step);
    text = applied(step);
    begins = beginningsIn(text);
    repairs.push(rewriteRepair(rule.from));
  }
  const decorations = decorationsIn(text, table);
  if (decorations.length > 0) {
    const step = { text, changes: decorations };
    steps.push(step);
    text = applied(step);
    repairs.push('marks on tags taken off: read as common markup');
  }
  if (escapedMarkup(text)) {
    const plain = unescaped(replaced(replaced(text, '&lt;', '<'), '&gt;', '>'));
    return { text: plain, repairs: [...repairs, 'escaped markup read as markup'], original: SAME };
  }
  if (text.includes('&quot;') && /\{\s*&quot;/.test(text) && !/\{\s*"/.test(text))
    return { text: unescaped(text), repairs: [...repairs, 'escaped quotes read as quotes'], original: SAME };
  return { text, repairs, original: steps.length === 0 ? SAME : originalOf(text, steps) };
}

/** Whether the text has the first characters of a spelling at all: many begin alike, and most texts have none of them. */
function beginningsIn(text: string): (head: string) => boolean {
  const known = new Map<string, boolean>();
  const has = (part: string): boolean => {
    const found = known.get(part) ?? text.includes(part);
    known.set(part, found);
    return found;
  };
  return (head) => has(head.slice(0, 1)) && has(head.slice(0, 2));
}

const SAME: Original = () => undefined;

/** The spans are made when the first argument is asked for: most replies with rewritten markup are short, hostile ones never ask. */
function originalOf(text: string, steps: readonly Step[]): Original {
  let spans: readonly Span[] | undefined;
  return (from, to) => {
    spans ??= spansOf(steps);
    const inside = spansIn(spans, from, to);
    const cut = straddles(spans, from) || straddles(spans, to);
    return inside.length === 0 || cut ? undefined : restored(text, inside, from, to);
  };
}

const unescaped = (text: string): string =>
  replaced(replaced(replaced(text, '&quot;', '"'), '&#39;', "'"), '&amp;', '&');

/** As `replaceAll`, which keeps every part until it is done. */
function replaced(text: string, from: string, to: string): string {
  const out = new TextBuilder();
  let rest = 0;
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, rest)) {
    out.add(text.slice(rest, at));
    out.add(to);
    rest = at + from.length;
  }
  out.add(text.slice(rest));
  return out.toString();
}

/** The places where a rule applies. */
function changesOf(text: string, head: string, tail: string | undefined, { to, within, word }: Rewrite): Change[] {
  const changes: Change[] = [];
  const apply = (from: number, end: number): void => {
    for (let at = text.indexOf(head, from); at >= 0 && at < end; ) {
      const inner = text.slice(at + head.length, at + head.length + FILL_MAX);
      const found = tail === undefined ? 0 : inner.indexOf(tail);
      const stop = word === true && !WORD.test(inner.slice(0, Math.max(0, found))) ? -1 : found;
      const remove = head.length + (tail === undefined ? 0 : stop + tail.length);
      if (stop >= 0 && at + remove <= end) {
        const insert = tail === undefined ? to : to.replace('$', () => inner.slice(0, stop));
        if (insert !== text.slice(at, at + remove)) changes.push({ at, remove, insert });
      }
      at = text.indexOf(head, at + (stop < 0 ? head.length : remove));
    }
  };
  if (within === undefined) apply(0, text.length);
  else {
    const [open, close] = within;
    for (let at = text.indexOf(open); at >= 0; ) {
      const start = at + open.length;
      const stop = text.indexOf(close, start);
      const end = stop < 0 ? text.length : stop;
      apply(start, end);
      at = text.indexOf(open, end);
    }
  }
  return changes;
}

/** Call markup that is escaped throughout. Escaped markup beside real markup is a quotation. */
function escapedMarkup(text: string): boolean {
  const at = text.indexOf('&lt;');
  // Behind the first brace it is data of a call.
  if (at < 0 || text.lastIndexOf('{', at) >= 0) return false;
  return (
    /&lt;(?:\w+:)?(?:tool_call|tool_calls|function_calls?|invoke|function)\b/.test(text) &&
    !/<(?:\w+:)?(?:tool_call|tool_calls|function_calls?|invoke|function)\b/.test(text)
  );
}
