/** Channels and turns: whom a stretch is for, told by a header before it. */
import { readHeader } from './header.js';
import { findNear } from './line.js';
import { reasoningEnd } from './reasoning-end.js';
import { markup, noteInside, pushCall, pushPiece, pushReasoning, type ScanState } from './scan-state.js';
import type { Token } from './token.js';

const MESSAGE = '<|message|>';
const BODY_END =
  /<[|｜](?:end|start|channel|call|return|eom|eot|im_end|end_message|start_of_role|turn)[|｜]?>|<channel\|>/g;

/** The header of a turn that is not the model's. */
const OTHER_ROLE = /^\s*(?:user|system|developer|human|tool|functions?[.:][\w.-]+\s+to=assistant)\b/i;

/** A channel header: `<|channel|>analysis<|message|>…`, `<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{…}`. */
export function channel(state: ScanState, given: Token): number {
  const { text } = state;
  // The prompt opened the header, which names the tool before its channel.
  const opened = state.pieces.length === 0 && OPENING.test(text.slice(0, Math.min(given.start, 320)));
  const token = opened ? { ...given, start: 0, end: 0 } : given;
  const message = findNear(text, MESSAGE, token.end, 320);
  const near = message >= 0 && message - token.end < 300;
  if (!near && THOUGHTS.test(text.slice(token.start, token.start + 80))) return thoughts(state, token);
  const headEnd = near
    ? message + MESSAGE.length
    : (/^[ \t]*\w*\n?/.exec(text.slice(token.end, token.end + 60))?.[0].length ?? 0);
  const bodyFrom = near ? headEnd : token.end + headEnd;
  const head = text.slice(token.end, near ? message : bodyFrom);
  if (token.word === 'start' && OTHER_ROLE.test(head)) return otherTurn(state, token);
  const thinks = THINKS.test(head);
  if (thinks && state.options.withheld === undefined) {
    BODY_END.lastIndex = bodyFrom;
    const close = BODY_END.exec(text);
    const stop = close?.index ?? text.length;
    const closed =
      close !== null && /end|eo[mt]|message|channel\|>/.test(close[0]) && !/start|<\|channel\|>/.test(close[0]);
    const end = closed ? stop + (close as RegExpExecArray)[0].length : stop;
    pushPiece(state, {
      kind: 'reasoning',
      start: token.start,
      end,
      inner: [bodyFrom, stop],
      ...(close === null ? { unclosed: true } : {}),
    });
    noteInside(state, token.start, stop, 'reasoning');
    state.marked = undefined;
    return end;
  }
  const addressed = /\bto=(?!(?:assistant|user)\b)[\w.\-:]+/.test(head);
  if (addressed) {
    const written = near && !/json/i.test(head) ? rawCall(state, token, head, bodyFrom) : undefined;
    if (written !== undefined) return written;
    markup(state, token.start, bodyFrom);
    state.marked = { from: token.start, opened: token.start, calls: 0, word: 'channel' };
    return bodyFrom;
  }
  state.marked = undefined;
  return markup(
    state,
    token.start,
    near
      ? bodyFrom
      : token.end + (/^(?:assistant|final|commentary)\b/.exec(text.slice(token.end, token.end + 12))?.[0].length ?? 0),
  );
}

/** A message that is addressed to a tool and holds neither JSON nor markup: all of it is the tool's one argument. */
function rawCall(state: ScanState, token: Token, head: string, from: number): number | undefined {
  const { text, options } = state;
  const header = readHeader(head, options.index, options.table, true);
  if (header === undefined || /^\s*(?:[{[<`]|$)/.test(text.slice(from, from + 200))) return undefined;
  BODY_END.lastIndex = from;
  const stop = BODY_END.exec(text)?.index ?? text.length;
  const atEnd = stop === text.length;
  return pushCall(state, token.start, {
    start: token.start,
    end: stop,
    name: header.name,
    arguments: options.original?.(from, stop) ?? text.slice(from, stop),
    format: 'text to a tool',
    marked: true,
    strong: true,
    cut: atEnd ? 'closers' : 'none',
    atEnd,
    repairs: [],
    duplicateKeys: [],
  });
}

/** Words of a header whose body the model writes for itself. */
const THINKS = /(?:^|[|>\s])(?:analysis|thought|thinking|reasoning|to=self)\b/i;

/** `<|channel>`, which needs no message token: thoughts, unless its first line names something else. */
const THOUGHTS = /^<\|channel>(?!\s*(?:final|answer|response|commentary|content)\b)/i;

function thoughts(state: ScanState, token: Token): number {
  if (state.options.withheld !== undefined) return markup(state, token.start, token.end);
  const name = /^(?:[ \t]*\w*\n|thought\b)?/.exec(state.text.slice(token.end, token.end + 60))?.[0].length ?? 0;
  const from = token.end + name;
  const next = state.text.indexOf('<|channel>', from);
  const close = reasoningEnd(state, from, next < 0 ? state.text.length : next);
  if (next >= 0 && close === undefined) {
    if (state.text.slice(from, next).trim() === '') return markup(state, token.start, next);
    return pushReasoning(state, token.start, next, [from, next], false);
  }
  const stop = close?.start ?? state.text.length;
  return pushReasoning(state, token.start, close?.end ?? stop, [from, stop], close === undefined);
}

/** The reply begins inside a header that the prompt opened: ` to=NAME<|message|>…`. */
export function openingHeader(state: ScanState, message: number): number | undefined {
  if (state.pieces.length > 0 || !OPENING.test(state.text.slice(0, Math.min(message, 320)))) return undefined;
  return channel(state, { kind: 'token', start: 0, end: 0, role: 'channel', word: 'channel' });
}

const OPENING = /^\s*(?:assistant\s*)?to=[\w.:-]{1,160}\s*$/;

/** A role marker. Another role than the model's own means that it went on to play the others. */
export function turn(state: ScanState, token: Token): number {
  const { text } = state;
  const role =
    token.word === 'user' ? 'user' : (/^\s*(\w+)/.exec(text.slice(token.end, token.end + 24))?.[1] ?? '').toLowerCase();
  if (!/^(?:user|system|tool|human|developer|function|ipython|environment|observation)$/.test(role)) {
    const own = /^\s*(?:assistant|model|bot|gpt|ai)\b\n?/i.exec(text.slice(token.end, token.end + 24))?.[0].length ?? 0;
    return markup(state, token.start, token.end + own);
  }
  return otherTurn(state, token);
}

/** Nothing that the model lets others say is its own. */
function otherTurn(state: ScanState, token: Token): number {
  const end = state.text.length;
  pushPiece(state, { kind: 'output', start: token.start, end });
  noteInside(state, token.end, end, 'tool output');
  return end;
}
