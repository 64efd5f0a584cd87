/** Spellings that are brought to their common form before the walk: decorated tags, element tokens, escaped markup. */
import type { MarkerTable } from './markers.js';

export interface Rewritten {
  readonly text: string;
  /** Rules that applied; offsets refer to the rewritten text when there are any. */
  readonly repairs: readonly string[];
}

const FILL_MAX = 200;

/** The entry that a rewrite leaves in the repair log. */
export const rewriteRepair = (from: string): string => `"${from.split('$')[0]}" read as common markup`;

export function rewrite(source: string, table: MarkerTable): Rewritten {
  if (source === '') return { text: source, repairs: [] };
  let text = source;
  const repairs: string[] = [];
  for (const rule of table.rewrites) {
    const [head, tail] = rule.from.split('$') as [string, string | undefined];
    if (!text.includes(head)) continue;
    const apply = (part: string): string =>
      tail === undefined ? replaced(part, head, rule.to) : fill(part, head, tail, rule.to);
    const next = rule.within === undefined ? apply(text) : between(text, rule.within, apply);
    if (next === text) continue;
    text = next;
    repairs.push(rewriteRepair(rule.from));
  }
  if (escapedMarkup(text)) {
    text = unescaped(text.replace(/&lt;/g, '<').replace(/&gt;/g, '>'));
    repairs.push('escaped markup read as markup');
  }
  if (text.includes('&quot;') && /\{\s*&quot;/.test(text) && !/\{\s*"/.test(text)) {
    text = unescaped(text);
    repairs.push('escaped quotes read as quotes');
  }
  return { text, repairs };
}

const unescaped = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

/** By an expression of plain characters, which the engine replaces in one pass; `replaceAll` joins as it goes. */
const replaced = (text: string, from: string, to: string): string =>
  text.replace(new RegExp(from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g'), to.replaceAll('$', '$$$$'));

/** Applies only between each opening text and the closing text after it, or the end. */
function between(text: string, [open, close]: readonly [string, string], apply: (part: string) => string): string {
  const out: string[] = [];
  let from = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, from)) {
    const start = at + open.length;
    const stop = text.indexOf(close, start);
    const end = stop < 0 ? text.length : stop;
    out.push(text.slice(from, start), apply(text.slice(start, end)));
    from = end;
  }
  out.push(text.slice(from));
  return out.join('');
}

/** Replaces `head…tail` with the target, `$` standing for what lay between. */
function fill(text: string, head: string, tail: string, to: string): string {
  const out: string[] = [];
  let from = 0;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, from)) {
    const inner = text.slice(at + head.length, at + head.length + FILL_MAX);
    const stop = inner.indexOf(tail);
    out.push(text.slice(from, at));
    if (stop < 0) {
      out.push(head);
      from = at + head.length;
      continue;
    }
    out.push(to.replace('$', () => inner.slice(0, stop)));
    from = at + head.length + stop + tail.length;
  }
  out.push(text.slice(from));
  return out.join('');
}

/** Call markup that is escaped throughout. Escaped markup beside real markup is a quotation. */
function escapedMarkup(text: string): boolean {
  if (!text.includes('&lt;')) return false;
  return (
    /&lt;(?:\w+:)?(?:tool_call|tool_calls|function_calls?|invoke|function)\b/.test(text) &&
    !/<(?:\w+:)?(?:tool_call|tool_calls|function_calls?|invoke|function)\b/.test(text)
  );
}
