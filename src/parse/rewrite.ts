/** Spellings that are brought to their common form before the walk: decorated tags, element tokens, escaped markup. */
import type { MarkerTable } from './markers.js';
import { TextBuilder } from './text-builder.js';

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
    text = unescaped(replaced(replaced(text, '&lt;', '<'), '&gt;', '>'));
    repairs.push('escaped markup read as markup');
  }
  if (text.includes('&quot;') && /\{\s*&quot;/.test(text) && !/\{\s*"/.test(text)) {
    text = unescaped(text);
    repairs.push('escaped quotes read as quotes');
  }
  return { text, repairs };
}

const unescaped = (text: string): string =>
  replaced(replaced(replaced(text, '&quot;', '"'), '&#39;', "'"), '&amp;', '&');

/** As `replaceAll`, which keeps every part until it is done. */
function replaced(text: string, from: string, to: string): string {
  let at = text.indexOf(from);
  if (at < 0) return text;
  const out = new TextBuilder();
  let rest = 0;
  for (; at >= 0; at = text.indexOf(from, rest)) {
    out.add(text.slice(rest, at));
    out.add(to);
    rest = at + from.length;
  }
  out.add(text.slice(rest));
  return out.toString();
}

/** Applies only between each opening text and the closing text after it, or the end. */
function between(text: string, [open, close]: readonly [string, string], apply: (part: string) => string): string {
  const out = new TextBuilder();
  let from = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, from)) {
    const start = at + open.length;
    const stop = text.indexOf(close, start);
    const end = stop < 0 ? text.length : stop;
    out.add(text.slice(from, start));
    out.add(apply(text.slice(start, end)));
    from = end;
  }
  out.add(text.slice(from));
  return out.toString();
}

/** Replaces `head…tail` with the target, `$` standing for what lay between. */
function fill(text: string, head: string, tail: string, to: string): string {
  const out = new TextBuilder();
  let from = 0;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, from)) {
    const inner = text.slice(at + head.length, at + head.length + FILL_MAX);
    const stop = inner.indexOf(tail);
    out.add(text.slice(from, at));
    if (stop < 0) {
      out.add(head);
      from = at + head.length;
      continue;
    }
    out.add(to.replace('$', () => inner.slice(0, stop)));
    from = at + head.length + stop + tail.length;
  }
  out.add(text.slice(from));
  return out.toString();
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
