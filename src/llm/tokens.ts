/** Token counts of prompts: text, messages, tool schemas. Exact where the model's tokenizer is public, an upper bound elsewhere. */
import type { ChatMessage } from '../domain/chat.js';
import type { ToolDeclaration } from '../domain/tool.js';
import { wireTools } from './body.js';

export interface Tokenizer {
  /** True when this is the model's own tokenizer. */
  readonly exact: boolean;
  /** Tokens that prime the reply, once per prompt. */
  readonly overheadTokens: number;
  countText(text: string): number;
  countMessage(message: ChatMessage): number;
  /** Cached by the identity of the array. */
  countTools(tools: readonly ToolDeclaration[]): number;
}

type Encoding = 'o200k_base' | 'cl100k_base';

/** Per message: its frame of special tokens. Per native call: the frame around name and arguments. OpenAI's published rules. */
const messageFrame = 3;
const callFrame = 3;
const replyPriming = 3;

/** Loads the vocabulary, which takes a good part of a second and 70 MB, once for the process. */
export async function createTokenizer(model: string): Promise<Tokenizer> {
  const { encoding, exact } = encodingOf(model);
  const { countTokens } =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base');
  const { estimateTokensInFunctions } = await import('gpt-tokenizer/functionCalling');
  // Providers read special tokens in a text as ordinary characters.
  const plain = { disallowedSpecial: new Set<string>() };
  const countText = remembering((text) => countInSlices(text, (slice) => countTokens(slice, plain)));
  const toolCounts = new WeakMap<readonly ToolDeclaration[], number>();

  const countAnew = (tools: readonly ToolDeclaration[]): number => {
    if (tools.length === 0) return 0;
    // Templates of open models print the schemas as JSON; OpenAI prints them as TypeScript.
    if (!exact) return countText(wireTools(tools));
    // The cast: the library types the part of JSON Schema that it prints; it ignores the rest.
    return estimateTokensInFunctions(tools as unknown as Parameters<typeof estimateTokensInFunctions>[0], countText);
  };

  return {
    exact,
    overheadTokens: replyPriming,
    countText,
    countMessage: (message) => messageFrame + countText(message.role) + countParts(message, countText),
    countTools(tools) {
      let count = toolCounts.get(tools);
      if (count === undefined) {
        count = countAnew(tools);
        toolCounts.set(tools, count);
      }
      return count;
    },
  };
}

/** Names, roles and arguments come again and again. */
const shortChars = 48;
const mostRemembered = 10_000;

function remembering(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    if (text.length > shortChars) return count(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= mostRemembered) known.clear();
    const counted = count(text);
    known.set(text, counted);
    return counted;
  };
}

function countParts(message: ChatMessage, countText: (text: string) => number): number {
  const content = message.content === null ? 0 : countText(message.content);
  if (message.role !== 'assistant') return content;
  const { role: _, content: __, tool_calls: calls, ...extras } = message;
  let count = content + countExtras(extras, countText);
  for (const { id: ___, type: ____, function: made, ...beside } of calls ?? [])
    count += callFrame + countText(made.name) + countText(made.arguments) + countExtras(beside, countText);
  return count;
}

/** Reasoning, signatures and other fields that go back to the model. */
function countExtras(extras: object, countText: (text: string) => number): number {
  let count = 0;
  for (const extra of Object.values(extras)) {
    if (extra === undefined || extra === null) continue;
    count += countText(typeof extra === 'string' ? extra : JSON.stringify(extra));
  }
  return count;
}

/** OpenAI's own models have a public tokenizer. Others are counted with its newest, which is near but not exact. */
function encodingOf(model: string): { encoding: Encoding; exact: boolean } {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  if (/^gpt-(4o|4\.|[5-9])|^chatgpt-|^o\d|^gpt-oss|^scripted/.test(name))
    return { encoding: 'o200k_base', exact: true };
  if (/^gpt-(4|3\.5)/.test(name)) return { encoding: 'cl100k_base', exact: true };
  return { encoding: 'o200k_base', exact: false };
}

/** Merging is quadratic in the length of one word, so that long runs without a break are cut. */
const sliceChars = 2048;

function countInSlices(text: string, count: (slice: string) => number): number {
  if (text.length <= sliceChars) return text === '' ? 0 : count(text);
  let total = 0;
  let from = 0;
  while (from < text.length) {
    const to =
      from + sliceChars >= text.length ? text.length : breakBefore(text, from + sliceChars, from + sliceChars / 2);
    total += count(text.slice(from, to));
    from = to;
  }
  return total;
}

/**
 * A place to cut where the tokenizer's own split has a border anyway, so that the sum over slices is exact: after a
 * letter, before anything that neither continues the word nor begins a contraction. Without one, any place.
 */
function breakBefore(text: string, latest: number, earliest: number): number {
  for (let at = latest; at > earliest; at--) {
    if (isLetter(text.charCodeAt(at - 1)) && endsWord(text.charCodeAt(at))) return at;
  }
  // Not between the halves of a surrogate pair.
  const code = text.charCodeAt(latest);
  return code >= 0xdc00 && code <= 0xdfff ? latest - 1 : latest;
}

const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0x4e00 && code <= 0x9fff);

/** Blank, ASCII punctuation but the apostrophe, and the Chinese comma and full stop. */
const endsWord = (code: number): boolean =>
  code === 32 ||
  code === 10 ||
  (code >= 33 && code <= 47 && code !== 39) ||
  (code >= 58 && code <= 64) ||
  (code >= 91 && code <= 96) ||
  (code >= 123 && code <= 126) ||
  code === 0x3002 ||
  code === 0xff0c;
