/** A call in a sentence that says that it is made, as the last thing of the reply: `我现在调用get_weather{"city": "北京"}`. */
import { lineStart } from './line.js';
import { lastEnd, type ScanState } from './scan-state.js';

const NAME = /[A-Za-z_][\w.-]{0,80}$/;
/** Words between a name and its arguments. */
const GAP = /\s{0,2}[:：]?\s{0,2}[`*]{0,2}$/;
/** What stands before the name speaks of calling. Whether it is done now is asked later, of the whole sentence. */
const CALLS =
  /(?:调用|使用|执行|运行|请求|\b(?:call|calling|invoke|invoking|use|using|run|running|execute|executing))\s*(?:the\s+)?(?:tool|function|工具|函数|接口)?\s*[:：]?\s*[`*]{0,2}$/i;
const REACH = 200;

/** Where the name of a registered tool begins that ends before the arguments at `at`, in a sentence that speaks of calling. */
export function toldName(state: ScanState, at: number): { readonly name: string; readonly start: number } | undefined {
  const { text, options } = state;
  if (options.withheld !== undefined || state.marked !== undefined || state.fence !== undefined) return undefined;
  const from = Math.max(lastEnd(state), lineStart(text, at, REACH));
  const line = text.slice(from, at);
  const name = NAME.exec(line.replace(GAP, ''))?.[0];
  if (name === undefined || !options.index.exact.has(name)) return undefined;
  const start = from + line.lastIndexOf(name);
  if (!CALLS.test(text.slice(from, start))) return undefined;
  // Of several calls in sentences, which makes a plan of them, none is the one that is made.
  const first = !state.told;
  state.told = true;
  return first ? { name, start } : undefined;
}

/** Nothing follows the call. */
export const endsReply = (text: string, end: number): boolean =>
  text.length - end < 24 && /^[\s;.。!！`*)）]*$/.test(text.slice(end));
