/**
 * A long text that stands behind its call's JSON, in an element named like the parameter that was left empty for it:
 * `{"name": "run", "arguments": {"code": ""}}` and `<code>…</code>`.
 */
import type { Json, JsonObject } from '../domain/json.js';
import type { Cut } from './json-walk.js';
import { isObject } from './schema.js';

export interface Attached {
  readonly arguments: Json;
  readonly end: number;
  /** Whether part of it may be missing. */
  readonly cut: Cut;
}

/** Undefined when nothing of the kind stands at `at`. Line breaks that frame the text are not part of it. */
export function attached(text: string, at: number, args: Json | undefined): Attached | undefined {
  if (!isObject(args)) return undefined;
  const isEmpty = (name: string): boolean => Object.hasOwn(args, name) && args[name] === '';
  if (text.length - at < LONGEST_TAG && Object.values(args).includes('')) {
    const rest = text.slice(at).trim();
    if (rest === '') return { arguments: args, end: at, cut: 'closers' };
    if (
      rest.startsWith('<') &&
      Object.keys(args).some((name) => isEmpty(name) && `<${name}>`.startsWith(rest) && rest !== `<${name}>`)
    )
      return { arguments: args, end: text.length, cut: 'value' };
  }
  OPENING.lastIndex = at;
  const name = OPENING.exec(text)?.[1];
  return name !== undefined && isEmpty(name) ? element(text, OPENING.lastIndex, args, name) : undefined;
}

const LONGEST_TAG = 160;
const OPENING = /\s{0,80}<(\w{1,60})>/y;

function element(text: string, from: number, args: JsonObject, name: string): Attached {
  const closer = `</${name}>`;
  const close = text.indexOf(closer, from);
  const inner = text.slice(from, close < 0 ? text.length : close);
  return {
    arguments: { ...args, [name]: inner.replace(/^\r?\n/, '').replace(/\r?\n[ \t]*$/, '') },
    end: close < 0 ? text.length : close + closer.length,
    cut: close < 0 ? 'value' : 'none',
  };
}
