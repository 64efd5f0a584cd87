/** Tags and special tokens: reasoning, comments, call regions, calls as elements, tool output, channels, litter. */
import type { JsonObject } from '../domain/json.js';
import { channel, openingHeader, turn } from './channel.js';
import { onlyHeaderWords, readHeader, readNameAlone } from './header.js';
import { readJson } from './json.js';
import { lineStart } from './line.js';
import { spelt } from './name.js';
import { reasoningTag, reasoningToken, strayReasoningEnd, unlistedThoughts } from './reasoning-tag.js';
import { affords, markup, noteInside, pushCall, pushPiece, type ScanState, spend } from './scan-state.js';
import { isObject, properties } from './schema.js';
import { type Tag, type Token, tagAt, tokenAt } from './token.js';
import { type KnownCall, readXmlBody, type XmlBody } from './xml.js';

export function stepAngle(state: ScanState, at: number): number | undefined {
  const { text, options } = state;
  if (text.startsWith('<!--', at)) return comment(state, at);
  const token = tokenAt(text, at, options.table, options.lookup);
  if (token !== undefined) return stepToken(state, token);
  const tag = text[at] === '<' ? tagAt(text, at) : undefined;
  return tag === undefined ? undefined : stepTag(state, tag);
}

/** `[TOOL_CALLS]`, `[THINK]` and the like. */
export function stepBracketToken(state: ScanState, at: number): number | undefined {
  const token = tokenAt(state.text, at, state.options.table, state.options.lookup);
  return token === undefined ? undefined : stepToken(state, token);
}

function comment(state: ScanState, at: number): number {
  const close = state.text.indexOf('-->', at + 4);
  const end = close < 0 ? state.text.length : close + 3;
  pushPiece(state, { kind: 'comment', start: at, end });
  noteInside(state, at + 4, close < 0 ? end : close, 'comment');
  return end;
}

function stepToken(state: ScanState, token: Token): number {
  const { start, end } = token;
  switch (token.role) {
    case 'call':
      return openRegion(state, start, end, token.word);
    case 'call-end':
      return closeRegion(state, start, end);
    case 'separator':
      return markup(state, start, end);
    case 'reasoning':
      return state.options.withheld === undefined ? reasoningToken(state, token) : markup(state, start, end);
    case 'reasoning-end':
      return strayReasoningEnd(state, start, end);
    case 'output':
      return output(state, start, end, outputEnd(state, end));
    case 'channel':
      return channel(state, token);
    case 'turn':
      return turn(state, token);
    case 'message':
      return openingHeader(state, start) ?? markup(state, start, end);
    case 'answer':
      return answer(state, token);
    default:
      if (CUT_ELEMENT.test(state.text.slice(start, start + 200))) return markup(state, start, state.text.length);
      if (state.marked !== undefined && state.marked.calls > 0) state.marked = undefined;
      return markup(state, start, end);
  }
}

/** `<|open|>call tool="N` at the end of the reply: the token that ends the element is missing. */
const CUT_ELEMENT = /^<\|(?:open|close)\|>\w{1,40}(?:\s+\w{1,40}="[^"<]{0,80}"?){0,3}$/;

function openRegion(state: ScanState, start: number, end: number, word: string): number {
  const nested =
    state.marked !== undefined && state.marked.calls === 0 && state.text.slice(state.marked.from, start).trim() === '';
  markup(state, start, end);
  state.marked = { from: end, opened: nested ? (state.marked?.opened ?? start) : start, calls: 0, word };
  return end;
}

/** The end of a region. A name alone in it is a call without arguments. */
function closeRegion(state: ScanState, start: number, end: number): number {
  const { marked, options, text } = state;
  if (marked !== undefined && marked.calls === 0) {
    const header = readNameAlone(text.slice(marked.from, start), options.index, options.table);
    if (header !== undefined) {
      const candidate = {
        start: marked.opened,
        end: start,
        name: header.name,
        arguments: {},
        format: 'name alone',
        marked: true,
        strong: true,
        cut: 'none',
        atEnd: false,
        repairs: [],
        duplicateKeys: [],
      } as const;
      pushCall(state, marked.opened, header.id === undefined ? candidate : { ...candidate, id: header.id });
    }
  }
  markup(state, start, end);
  if (marked !== undefined)
    state.marked = marked.calls > 0 ? { from: end, opened: end, calls: 0, word: marked.word } : undefined;
  if (marked !== undefined && state.marked !== undefined && !/s$|section|begin|action|prefix/.test(marked.word))
    state.marked = undefined;
  return end;
}

const OUTPUT_END =
  /<\/(?:\w+:)?(?:tool_response|tool_responses|tool_result|tool_results|tool_output|function_results?|function_response|observation|tools|available_tools)>|<[|｜][^|｜<>\n]{0,30}(?:output|response|result|outputs)s?[^|｜<>\n]{0,12}end[|｜]>|<[|｜](?:assistant|end_tool_result|tool▁outputs▁end|END_TOOL_RESULT)[|｜]>|\[\/TOOL_RESULTS\]|\[\/AVAILABLE_TOOLS\]|<tool_response\|>|<end_function_response>/gi;

function outputEnd(state: ScanState, from: number): number {
  OUTPUT_END.lastIndex = from;
  const close = OUTPUT_END.exec(state.text);
  return close === null ? state.text.length : close.index + close[0].length;
}

function output(state: ScanState, start: number, from: number, end: number): number {
  pushPiece(state, { kind: 'output', start, end });
  noteInside(state, from, end, 'tool output');
  const inner = state.text.slice(from, Math.min(end, from + 400)).trimStart();
  const empty = inner === '' || inner.search(OUTPUT_END) === 0;
  if (!empty && state.candidates.some((candidate) => candidate.withheld === undefined)) state.observed = true;
  state.marked = undefined;
  return end;
}

function answer(state: ScanState, token: Token): number {
  if (state.options.table.answerAfter.some((literal) => state.text.startsWith(literal, token.start)))
    return strayReasoningEnd(state, token.start, token.end);
  state.marked = undefined;
  return markup(state, token.start, token.end);
}

function stepTag(state: ScanState, tag: Tag): number | undefined {
  const { table, index } = state.options;
  const role = Object.hasOwn(table.tags, tag.name) ? table.tags[tag.name] : undefined;
  if (role === 'reasoning') return reasoningTag(state, tag);
  const thoughts = role === undefined ? unlistedThoughts(state, tag) : undefined;
  if (thoughts !== undefined) return thoughts;
  const named = tag.closing ? undefined : namedBefore(state, tag);
  if (named !== undefined) return named;
  if (!tag.closing && isPlain(tag) && index.exact.has(tag.fullName)) return element(state, tag, tag.fullName);
  if (table.callTags.includes(tag.name) || role === 'call') {
    const name = tag.equals ?? tag.attributes.name ?? tag.attributes.tool ?? tag.attributes.function;
    if (!tag.closing && name !== undefined && name !== '') return element(state, tag, name);
    if (role === undefined)
      return tag.closing && (state.marked !== undefined || state.candidates.length > 0)
        ? markup(state, tag.start, tag.end)
        : bareCallTag(state, tag);
    return tag.closing ? closeRegion(state, tag.start, tag.end) : regionTag(state, tag);
  }
  if (role === 'listing' && !tag.closing && listsCall(state, tag))
    return openRegion(state, tag.start, tag.end, tag.name);
  if (role === 'output' || role === 'listing')
    return tag.closing
      ? markup(state, tag.start, tag.end)
      : output(state, tag.start, tag.end, outputEnd(state, tag.end));
  if (role === 'answer') return markup(state, tag.start, tag.end);
  if (table.keyTags.includes(tag.name)) return keyed(state, tag);
  if (!tag.closing && spelt(tag.fullName, index) !== undefined) return element(state, tag, tag.fullName);
  if (tag.closing && (table.parameterTags.includes(tag.name) || spelt(tag.fullName, index) !== undefined))
    return markup(state, tag.start, tag.end);
  return unlisted(state, tag);
}

/** An object that calls, where tools are declared: name and arguments, and nothing that describes. */
const LISTED_CALL = /^\s*\[?\s*\{(?![^{}]*["'](?:description|type)["']\s*:)[^{}]*["'](?:arguments|args)["']\s*:\s*\{/;

const LISTING_REACH = 20_000;

/** A call stands where tools are declared, and no words follow that speak of it as a declaration. */
function listsCall(state: ScanState, tag: Tag): boolean {
  const { text } = state;
  if (!LISTED_CALL.test(text.slice(tag.end, tag.end + 300)) || !affords(state, tag.start)) return false;
  const closer = `</${tag.fullName}>`;
  const close = text.slice(tag.end, tag.end + LISTING_REACH).indexOf(closer);
  spend(state, (close < 0 ? LISTING_REACH : close) >> 3);
  return close < 0 || /^\s*(?:<|$)/.test(text.slice(tag.end + close + closer.length, tag.end + close + 200));
}

const isPlain = (tag: Tag): boolean => tag.equals === undefined && Object.keys(tag.attributes).length === 0;

/** What follows the start tag in `<tool>N</tool><tool_input>I</tool_input>`. */
const NAME_THEN_INPUT =
  /^\s{0,9}([^<>\s]{1,80})\s{0,9}<\/(tool|action|function|tool_name|function_name)>\s{0,9}<((?:tool|action|function)_(?:input|args|arguments|parameters))>/i;

/** The name in one element and all arguments in the next. A model that is stopped at the last end tag does not write it. */
function namedBefore(state: ScanState, tag: Tag): number | undefined {
  const { text, options } = state;
  const found = isPlain(tag) ? NAME_THEN_INPUT.exec(text.slice(tag.end, tag.end + 240)) : null;
  if (found === null || found[2]?.toLowerCase() !== tag.name) return undefined;
  const from = tag.end + found[0].length;
  const read = text[from] === '{' ? readJson(text, from) : undefined;
  const close = text.indexOf(`</${found[3]}>`, read?.ok === true ? read.end : from);
  const stop = close < 0 ? text.length : close;
  return elementCall(
    state,
    regionStart(state, tag.start),
    found[1] as string,
    {
      arguments: (options.original?.(from, stop) ?? text.slice(from, stop)).trim(),
      end: close < 0 ? stop : close + (found[3] as string).length + 3,
      cut: read?.ok === true && read.cut === 'value' ? 'value' : close < 0 ? 'closers' : 'none',
      atEnd: close < 0,
      repairs: [],
      repeated: [],
      count: 1,
    },
    'elements',
  );
}

/** `<function>` or `<tool>` without a name: the name stands in an element or in JSON inside. */
function bareCallTag(state: ScanState, tag: Tag): number | undefined {
  const ahead = state.text.slice(tag.end, tag.end + 80).trimStart();
  if (tag.closing || !/^(?:[{[]|<(?:name|tool_name|function_name|server_name|arguments|parameters)\b)/.test(ahead))
    return undefined;
  return regionTag(state, tag);
}

/** A tag that opens a call region; its content decides the layout. */
function regionTag(state: ScanState, tag: Tag): number {
  const { text, options } = state;
  const inside = /^\s*<(\w+)\s*>/.exec(text.slice(tag.end, tag.end + 120));
  if (inside !== null && /^(?:name|tool_name|function_name|tool|function|server_name)$/i.test(inside[1] as string)) {
    const body = readXmlBody(text, tag.end, tag.name, options.table, knownOf(state));
    const fields = body.arguments as Record<string, unknown> | undefined;
    const entry = Object.entries(fields ?? {}).find(
      ([key, value]) =>
        /^(?:name|tool_name|function_name|tool|function)$/i.test(key) &&
        typeof value === 'string' &&
        !/^\s*</.test(value),
    );
    if (entry !== undefined) {
      const { [entry[0]]: _, server_name: __, ...rest } = fields as Record<string, never>;
      return elementCall(state, tag.start, String(entry[1]).trim(), { ...body, arguments: rest }, 'elements');
    }
  }
  return openRegion(state, tag.start, tag.end, tag.name);
}

function element(state: ScanState, tag: Tag, name: string): number | undefined {
  const { text, options, marked } = state;
  const own = spelt(tag.fullName, options.index) !== undefined && tag.equals === undefined;
  if (tag.selfClosing)
    return elementCall(
      state,
      regionStart(state, tag.start),
      name,
      {
        arguments: { ...tag.attributes, name: undefined } as never,
        end: tag.end,
        cut: 'none',
        atEnd: false,
        repairs: [],
        repeated: [],
        count: 0,
      },
      'element',
    );
  const keys = parametersOf(state, own ? tag.fullName : name);
  const body = readXmlBody(text, tag.end, tag.name, options.table, knownOf(state, keys));
  if (own && body.count === 0 && (marked === undefined || body.cut === 'none') && !endsWithTag(text, tag.end, body.end))
    return undefined;
  return elementCall(
    state,
    regionStart(state, tag.start),
    name,
    body,
    own ? 'tag named after the tool' : body.typed === true ? 'XML parameters with types' : 'XML parameters',
  );
}

function knownOf(state: ScanState, keys: readonly string[] = []): KnownCall {
  const { options, ahead } = state;
  state.tools ??= new Set(options.index.tools.map(({ name }) => name.toLowerCase()));
  return { original: options.original, lookup: options.lookup, tools: state.tools, keys, ahead };
}

function parametersOf({ options }: ScanState, name: string): readonly string[] {
  const tool = spelt(name, options.index);
  return tool === undefined || tool.kind === 'unknown' ? [] : Object.keys(properties(tool.tool.parameters));
}

/** The last thing of the body is an end tag. */
const endsWithTag = (text: string, from: number, end: number): boolean =>
  /<\/[^<>]*>\s*$/.test(text.slice(Math.max(from, end - 120), end));

/** Where the region begins of which the element at `at` is the first thing but for words such as `function`. */
function regionStart({ marked, text, options }: ScanState, at: number): number {
  if (marked?.calls !== 0 || at - marked.from > 200) return at;
  return onlyHeaderWords(text.slice(marked.from, at), options.table) ? marked.opened : at;
}

function elementCall(state: ScanState, start: number, name: string, body: XmlBody, format: string): number {
  return pushCall(state, start, {
    start,
    end: body.end,
    name,
    arguments: body.arguments,
    format,
    marked: true,
    strong: true,
    cut: body.cut,
    atEnd: body.atEnd,
    repairs: [...new Set(body.repairs)],
    duplicateKeys: body.repeated,
    ...(body.unsure === true ? { unsure: true } : {}),
  });
}

/** `NAME <arg_key>…`: the name stands before the first key, or before its text, when the first start tag is missing. */
function keyed(state: ScanState, tag: Tag): number | undefined {
  const { text, options, marked } = state;
  const trimmed = text.slice(Math.max(0, tag.start - 200), tag.start).trimEnd().length;
  const near = Math.max(0, tag.start - 200) + trimmed;
  const line = Math.max(lineStart(text, near, 200), state.pieces.at(-1)?.end ?? 0);
  const from = marked?.from ?? line;
  const words = text.slice(from, tag.start);
  const unopened = tag.closing ? nameAndKey(state, words) : undefined;
  if (tag.closing && (marked?.calls !== 0 || unopened === undefined)) return undefined;
  const header = readHeader(unopened?.name ?? words, options.index, options.table, marked !== undefined);
  if (header === undefined) return undefined;
  const known = {
    ...knownOf(state, parametersOf(state, header.name)),
    ...(unopened === undefined ? {} : { key: unopened.key }),
  };
  const body = readXmlBody(text, tag.start, marked?.word ?? 'tool_call', options.table, known);
  const start = marked?.calls === 0 ? marked.opened : from;
  return elementCall(state, start, header.name, withoutQuotes(body), 'key and value tags');
}

/** A name and the first key, whose start tag is missing: two words, or one that only one tool and parameter make. */
function nameAndKey(
  { options }: ScanState,
  words: string,
): { readonly name: string; readonly key: string } | undefined {
  const two = /^\s*(\S{1,120})\s+(\S{1,120})\s*$/.exec(words.slice(0, 400));
  if (two !== null) return { name: two[1] as string, key: two[2] as string };
  const word = words.length < 200 ? words.trim() : '';
  const pairs = options.index.tools
    .filter(
      ({ name, parameters }) =>
        word.startsWith(name) &&
        Object.hasOwn(properties(isObject(parameters) ? parameters : {}), word.slice(name.length)),
    )
    .map(({ name }) => ({ name, key: word.slice(name.length) }));
  return pairs.length === 1 ? pairs[0] : undefined;
}

const QUOTES_OFF = 'quotes around texts taken off';

/**
 * Texts that are all JSON strings: the layout quotes them, as one family does. A single one in quotes may mean them, unless it
 * is escaped.
 */
function withoutQuotes(body: XmlBody): XmlBody {
  if (!isObject(body.arguments)) return body;
  const texts = Object.entries(body.arguments).filter((entry): entry is [string, string] => isText(entry[1]));
  const read = texts.map(([key, text]): [string, unknown] => [key, jsonOf(text)]);
  if (texts.length === 0 || !read.every(([, value]) => typeof value === 'string')) return body;
  const escaped = read.some(([, value], i) => value !== (texts[i] as [string, string])[1].trim().slice(1, -1));
  if (texts.length < 2 && !escaped) return body;
  const plain = Object.fromEntries(read) as JsonObject;
  return { ...body, arguments: { ...body.arguments, ...plain }, repairs: [...body.repairs, QUOTES_OFF] };
}

/** A text that is no JSON of another type. */
const isText = (value: unknown): boolean => typeof value === 'string' && !isOther(jsonOf(value));
const isOther = (value: unknown): boolean => value !== undefined && typeof value !== 'string';

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A tag that no table lists: hidden when it directly encloses a call, else text. */
function unlisted(state: ScanState, tag: Tag): number | undefined {
  if (!/(?:tool|func|action|call|invoke|api)/.test(tag.name)) return undefined;
  if (tag.closing) {
    if (state.marked === undefined) return undefined;
    return closeRegion(state, tag.start, tag.end);
  }
  const ahead = state.text.slice(tag.end, tag.end + 60).trimStart();
  if (!/^(?:[{[<]|[\w.-]+\s*[({<\n])/.test(ahead)) return undefined;
  return openRegion(state, tag.start, tag.end, tag.name);
}
