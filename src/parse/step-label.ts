/** Lines that begin with a label: `Thought:`, `Action:`, `Action Input:`, `Observation:`, `Final Answer:`. */

import type { Json } from '../domain/json.js';
import { type ArgumentLines, readArgumentLines } from './argument-lines.js';
import { readHeader } from './header.js';
import { bracketedWords } from './json-bare.js';
import { rulesOf } from './json-edit.js';
import { readOriginal } from './json-original.js';
import type { Cut } from './json-walk.js';
import { lineEnd, lineStart } from './line.js';
import { spelt } from './name.js';
import { affords, lastEnd, noteInside, pushCall, pushPiece, type ScanState, spend } from './scan-state.js';

const LABEL_MAX = 28;

interface Label {
  readonly kind: 'thought' | 'action' | 'input' | 'argument' | 'observation' | 'final';
  readonly start: number;
  readonly end: number;
}

/** The label that ends with the colon at `at`, if it begins its line. */
function labelAt(state: ScanState, at: number): Label | undefined {
  const { text, options } = state;
  if (!options.lookup.labelEnds.has(lastLetter(text, at))) return undefined;
  const from = Math.max(0, at - LABEL_MAX - 8);
  const line = lineStart(text, at, LABEL_MAX + 9);
  const floor = lastEnd(state);
  const start = Math.max(line, Math.min(floor, at));
  if (start < from) return undefined;
  const word = text
    .slice(start, at)
    .replace(/[*#_>`\s-]+|\b\d{1,2}[.)]?$/g, ' ')
    .trim()
    .replace(/\s+\d{1,2}$/, '')
    .toLowerCase();
  const kind = Object.hasOwn(options.table.labels, word) ? options.table.labels[word] : undefined;
  let end = at + 1;
  while (text[end] === '*') end++;
  return kind === undefined ? undefined : { kind, start, end };
}

/** The last character before the colon that is no emphasis and no number, in lower case. */
function lastLetter(text: string, at: number): number {
  for (let i = at - 1; i >= 0 && at - i < 8; i--) {
    const code = text.charCodeAt(i);
    if (code === 32 || code === 42 || code === 95 || code === 41 || code === 46 || (code >= 48 && code <= 57)) continue;
    return code >= 65 && code <= 90 ? code + 32 : code;
  }
  return -1;
}

export function stepLabel(state: ScanState, at: number): number | undefined {
  const label = labelAt(state, at);
  if (label === undefined) return undefined;
  switch (label.kind) {
    case 'final':
      state.answered = true;
      return pushPiece(state, { kind: 'label', start: label.start, end: label.end, label: label.kind });
    case 'thought':
      return pushPiece(state, { kind: 'label', start: label.start, end: label.end, label: label.kind });
    case 'observation':
      return observation(state, label);
    case 'action':
      return action(state, label);
    case 'argument':
      return namedByFence(state, label);
    case 'input':
      return undefined;
  }
}

/** Text after an observation label was made up; what follows builds on it. */
function observation(state: ScanState, label: Label): number | undefined {
  if (!state.candidates.some((candidate) => candidate.withheld === undefined)) {
    const stop = lineEnd(state.text, label.end, 4000);
    noteInside(state, label.end, stop, 'tool output');
    return stop;
  }
  const next = /\n[ \t*#>]{0,6}(?:thought|final answer|action|思考|行动|动作|最终答案)\s*\d{0,2}\**\s*[:：]/i.exec(
    state.text.slice(label.end),
  );
  const end = next === null ? state.text.length : label.end + next.index + 1;
  const empty = state.text.slice(label.end, end).trim() === '';
  pushPiece(state, { kind: 'output', start: label.start, end });
  if (!empty) state.observed = true;
  return end;
}

/** `NAME, Action Input: {…}`: both on one line. */
const INLINE_INPUT = /^([\p{L}_][\p{L}\p{N}_.-]{0,80})(?:\s*[,，;；|]\s*|\s+)([\p{L}][^:：{}"]{1,24}[:：]\s*)(?=[{[])/u;

const NOTHING = /^(?:none|null|n\/?a|no action(?: needed| required)?|nothing|finish|无|没有|不需要)[.。]?$/i;

function action(state: ScanState, label: Label): number | undefined {
  const { text, options } = state;
  const stop = lineEnd(text, label.end, 1000);
  const line = text.slice(label.end, stop).trim();
  const inline = INLINE_INPUT.exec(line);
  const inlineInput =
    inline === null
      ? undefined
      : inputAfter(state, text.indexOf(inline[2] as string, label.end + (inline[1] as string).length));
  if (
    inline !== null &&
    inlineInput !== undefined &&
    spelt(inline[1] as string, options.index) !== undefined &&
    affords(state, label.start)
  ) {
    const given = body(state, inlineInput);
    spend(state, given.end - inlineInput);
    return call(state, label, inline[1] as string, given);
  }
  const lines = line === '' ? undefined : readArgumentLines(text, stop);
  if (lines !== undefined) return argumentCall(state, label.start, line, lines);
  const input = inputAfter(state, stop);
  if (NOTHING.test(line) && spelt(line, options.index) === undefined)
    return pushPiece(state, {
      kind: 'markup',
      start: label.start,
      end: input === undefined ? stop : bodyEnd(text, input),
    });
  const listed = input === undefined ? undefined : /^\[([\w.-]{1,80})\]$/.exec(line)?.[1];
  if (line === '' || (listed === undefined && /^[`[{<]/.test(line)))
    return line === '' && input === undefined && !/^\s*[`[{]/.test(text.slice(stop, stop + 20))
      ? undefined
      : region(state, label);
  const bracket = /^([\w.-]{1,80})\[(.*)\]$/.exec(line);
  const described = input === undefined ? null : /^([^\s()]{1,80})\s\((?![^)]*[={"'])[^()]*\s[^()]*\)$/.exec(line);
  const name = (bracket?.[1] ?? described?.[1] ?? listed ?? line).replace(/^[*`"'\s]+|[*`"'\s.]+$/g, '');
  const known = spelt(name, options.index) !== undefined;
  if (/[({]/.test(name)) return region(state, label);
  if (!known && (input === undefined || readHeader(name, options.index, options.table, true) === undefined))
    return undefined;
  if (bracket && known && input === undefined)
    return call(state, label, name, {
      value: bracket[2] as string,
      end: stop,
      cut: 'none',
      atEnd: false,
      repairs: [],
      duplicates: [],
    });
  if (input === undefined) {
    const more = text.slice(stop).trim() === '';
    return call(state, label, name, { value: {}, end: stop, cut: 'none', atEnd: more, repairs: [], duplicates: [] });
  }
  if (!affords(state, label.start)) return undefined;
  const given = body(state, input);
  spend(state, given.end - input);
  return call(state, label, name, given);
}

/** Arguments on lines of their own: the tool's name is all that the fence around them has before. */
function namedByFence(state: ScanState, label: Label): number | undefined {
  const from = state.fence?.from;
  if (from === undefined || label.start - from > 100) return undefined;
  const name = state.text.slice(from, label.start).trim();
  const lines = spelt(name, state.options.index) === undefined ? undefined : readArgumentLines(state.text, label.start);
  return lines === undefined ? undefined : argumentCall(state, from, name, lines);
}

function argumentCall(state: ScanState, start: number, name: string, lines: ArgumentLines): number {
  return pushCall(state, start, {
    start,
    end: lines.end,
    name,
    arguments: lines.values,
    format: 'argument lines',
    marked: true,
    strong: true,
    cut: lines.cut,
    atEnd: lines.cut !== 'none',
    repairs: [],
    duplicateKeys: lines.repeated,
  });
}

/** The call itself follows in some other layout. */
function region(state: ScanState, label: Label): number {
  pushPiece(state, { kind: 'markup', start: label.start, end: label.end });
  state.marked = { from: label.end, opened: label.start, calls: 0, word: 'label' };
  return label.end;
}

const INPUT = /^\s*[*#>\-_ ]{0,4}([^\n:：]{2,24}?)\s*\**\s*[:：]\**/;

/** Where the text after an input label begins, when one follows. */
function inputAfter(state: ScanState, from: number): number | undefined {
  const match = INPUT.exec(state.text.slice(from, from + 60));
  if (match === null) return undefined;
  const word = (match[1] as string)
    .trim()
    .replace(/\s+\d{1,2}$/, '')
    .toLowerCase();
  const kind = Object.hasOwn(state.options.table.labels, word) ? state.options.table.labels[word] : undefined;
  return kind === 'input' ? from + match[0].length : undefined;
}

interface Body {
  readonly value: Json;
  readonly end: number;
  readonly cut: Cut;
  readonly atEnd: boolean;
  readonly repairs: readonly string[];
  readonly duplicates: readonly string[];
}

function bodyEnd(text: string, from: number): number {
  const next =
    /\n\s*\n|\n[ \t*#>]{0,6}(?:thought|action|observation|final answer|思考|行动|动作|观察|最终答案)[^\n:：]{0,16}[:：]/i.exec(
      text.slice(from),
    );
  return next === null ? text.length : from + next.index;
}

function body({ text, options }: ScanState, from: number): Body {
  const fence = /^\s*```[\w-]*\s*/.exec(text.slice(from, from + 40))?.[0].length ?? 0;
  let at = from + fence;
  while (at < text.length && /\s/.test(text[at] as string)) at++;
  if (/[{[｛［]/.test(text[at] ?? '') && !bracketedWords(text.slice(at, lineEnd(text, at, 1000)).trim())) {
    const read = readOriginal(text, at, options.original);
    if (read.ok && !/^[ \t]*\{/.test(text.slice(read.end, read.end + 20))) {
      const close = /^\s*```/.exec(text.slice(read.end, read.end + 20))?.[0].length ?? 0;
      return {
        value: read.value,
        end: read.end + (fence > 0 ? close : 0),
        cut: read.cut,
        atEnd: read.atEnd,
        repairs: rulesOf(read.edits),
        duplicates: read.duplicates,
      };
    }
  }
  const end = bodyEnd(text, from);
  const value = (options.original?.(from, end) ?? text.slice(from, end))
    .trim()
    .replace(/^```[\w-]*\s*|\s*```$/g, '')
    .replace(/<\|[^|<>]{1,30}\|>$/, '');
  return {
    value: /^".*"$/s.test(value) ? value.slice(1, -1) : value,
    end,
    cut: end >= text.length ? 'closers' : 'none',
    atEnd: end >= text.length,
    repairs: [],
    duplicates: [],
  };
}

function call(state: ScanState, label: Label, name: string, input: Body): number {
  const end = pushCall(state, label.start, {
    start: label.start,
    end: input.end,
    name,
    arguments: input.value,
    format: 'ReAct',
    marked: true,
    strong: true,
    cut: input.cut,
    atEnd: input.atEnd,
    repairs: input.repairs,
    duplicateKeys: input.duplicates,
    ...(state.answered ? { withheld: 'after answer' as const } : {}),
  });
  return end;
}
