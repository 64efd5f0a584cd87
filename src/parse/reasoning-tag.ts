/** Reasoning in tags and special tokens: where it begins and ends, also without its opener, and tags that only their words tell. */
import { spelt } from './name.js';
import { reasoningEnd } from './reasoning-end.js';
import { affords, markup, pushReasoning, type ScanState, spend } from './scan-state.js';
import type { Tag, Token } from './token.js';

export function reasoningToken(state: ScanState, token: Token): number {
  const close = reasoningEnd(state, token.end);
  const stop = close?.start ?? state.text.length;
  return pushReasoning(state, token.start, close?.end ?? stop, [token.end, stop], close === undefined);
}

/** An end of reasoning that nothing opened: all before it was reasoning, unless reasoning was closed before. */
export function strayReasoningEnd(state: ScanState, start: number, end: number): number {
  if (state.options.withheld !== undefined || state.reasoned) return markup(state, start, end);
  for (const candidate of state.candidates) candidate.withheld ??= 'reasoning';
  state.unreadable.length = 0;
  state.pieces.length = 0;
  state.textFrom = start;
  const comments =
    /^(?:\s*<!--(?:[^-]|-(?!->))*-->)*/.exec(state.text.slice(0, Math.min(start, 2000)))?.[0].length ?? 0;
  state.pieces.push({ kind: 'reasoning', start: 0, end, inner: [comments, start] });
  state.textFrom = end;
  state.marked = undefined;
  state.fence = undefined;
  state.observed = false;
  return end;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches the start and end tags of one name. Made once per walk. */
function familyOf(state: ScanState, name: string): RegExp {
  state.families ??= new Map();
  const made = state.families.get(name) ?? new RegExp(`<(/?)(?:\\w+:)?${escaped(name)}(?:\\s[^<>]{0,80})?>`, 'gi');
  state.families.set(name, made);
  return made;
}

export function reasoningTag(state: ScanState, tag: Tag): number {
  if (state.options.withheld !== undefined) return tag.end;
  if (tag.closing) return strayReasoningEnd(state, tag.start, tag.end);
  if (tag.selfClosing) return markup(state, tag.start, tag.end);
  const family = familyOf(state, tag.name);
  family.lastIndex = tag.end;
  let depth = 1;
  let last: RegExpExecArray | undefined;
  for (
    let match = family.exec(state.text);
    match !== null && depth > 0;
    match = depth > 0 ? family.exec(state.text) : null
  ) {
    depth += match[1] === '/' ? -1 : 1;
    if (match[1] === '/') last = match;
  }
  if (last !== undefined)
    return pushReasoning(state, tag.start, last.index + last[0].length, [tag.end, last.index], false);
  const other = reasoningEnd(state, tag.end);
  const stop = other?.start ?? state.text.length;
  return pushReasoning(state, tag.start, other?.end ?? stop, [tag.end, stop], other === undefined);
}

/** Names of tags that no table lists and that can mean nothing else. */
const THOUGHTS =
  /^(?!.*(?:effort|level|budget|signature|tokens?|mode|length)$)(?:.*[_\d-])?(?:think(?:ing)?|thoughts?|reasoning|monologue|scratchpad|思考|思维链|推理)(?:[_-].*)?$/;
const REACH = 20_000;

/** Reasoning in a pair of tags that no table lists, whose name speaks of thoughts. */
export function unlistedThoughts(state: ScanState, tag: Tag): number | undefined {
  if (tag.closing || tag.selfClosing || tag.equals !== undefined || !THOUGHTS.test(tag.name)) return undefined;
  if (state.options.withheld !== undefined || spelt(tag.fullName, state.options.index) !== undefined) return undefined;
  if (!affords(state, tag.start)) return undefined;
  const closer = `</${tag.fullName}>`;
  const length = state.text.slice(tag.end, tag.end + REACH).indexOf(closer);
  spend(state, (length < 0 ? Math.min(REACH, state.text.length - tag.end) : length) >> 3);
  if (length < 0) return undefined;
  const end = tag.end + length;
  return pushReasoning(state, tag.start, end + closer.length, [tag.end, end], false);
}
