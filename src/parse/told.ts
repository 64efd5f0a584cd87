/** A call in a sentence that says that it is made, as the last thing of the reply: `我现在调用get_weather{"city": "北京"}`. */
import { lineStart } from './line.js';
import { lastEnd, type ScanState } from './scan-state.js';

/** What stands before the name speaks of calling. Whether it is done now is asked later, of the whole sentence. */
const CALLS =
  /(?:调用|使用|执行|运行|请求|\b(?:call|calling|invoke|invoking|use|using|run|running|execute|executing))\s{0,4}(?:the\s+)?(?:tool|function|工具|函数|接口)?\s{0,4}[:：]?\s{0,4}[`*]{0,2}$/i;
/** Words between a name and its arguments. */
const WITH =
  /(?:(?<=[\w`*])\s(?:tool |function )?with(?: the)?(?: (?:following )?(?:arguments?|args|parameters?|input))?|\s?(?:工具|函数|接口)?[，,]?\s?参数(?:为|是|如下)?)\s?[:：]?\s?$/i;
const WITH_REACH = 48;
const LEAD_REACH = 48;
const LINE_REACH = 200;
const NAME_MAX = 80;
const GAP_MAX = 6;

/** Where the name of a registered tool begins that ends before the arguments at `at`, in a sentence that speaks of calling. */
export function toldName(state: ScanState, at: number): { readonly name: string; readonly start: number } | undefined {
  const { text, options } = state;
  if (options.withheld !== undefined || state.marked !== undefined || state.fence !== undefined) return undefined;
  let end = text[at] === '{' ? at - (WITH.exec(text.slice(Math.max(0, at - WITH_REACH), at))?.[0].length ?? 0) : at;
  for (let i = 0; i < GAP_MAX && isGap(text.charCodeAt(end - 1)); i++) end--;
  let start = end;
  while (end - start < NAME_MAX && inName(text.charCodeAt(start - 1))) start--;
  if (start === end || !endsWords(text.charCodeAt(start - 1))) return undefined;
  const name = text.slice(start, end);
  const from = Math.max(lastEnd(state), lineStart(text, start, LINE_REACH));
  if (!options.index.exact.has(name) || !CALLS.test(text.slice(Math.max(from, start - LEAD_REACH), start)))
    return undefined;
  // Of several calls in sentences, which makes a plan of them, none is the one that is made.
  const first = !state.told;
  state.told = true;
  return first ? { name, start } : undefined;
}

/** Blanks, colons and emphasis. */
const isGap = (code: number): boolean => code === 32 || code === 58 || code === 0xff1a || code === 96 || code === 42;

const inName = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 45 ||
  code === 46;

/** A blank, a colon, emphasis, or a letter of another script. */
const endsWords = (code: number): boolean => isGap(code) || code > 0x2e7f;

/** Nothing follows the call. */
export const endsReply = (text: string, end: number): boolean =>
  text.length - end < 24 && /^[\s;.。!！`*)）]*$/.test(text.slice(end));
