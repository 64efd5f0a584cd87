/** `key: value` lines of prose, comments and configuration, told from sentences, times, addresses and code. */
import type { Json } from '../domain/json.js';

export interface Fact {
  readonly key: string;
  readonly value: Json;
  /** From the beginning of the text that was read. */
  readonly position: number;
}

const linePattern =
  /^([ \t]*(?:[-*•]|\d{1,2}[.)])?[ \t]*\*{0,2})([\p{L}_][\p{L}\p{N}_ ./()（）-]{0,39}?)\*{0,2}[ \t]*([:：=])\*{0,2}([ \t]*)(\S[^\n]{0,600})$/u;
const separators = /[:：=]/;
/** How far into its line the separator can stand. */
const keyReach = 72;
const longestLine = 700;
const longestValue = 500;

/** @param separator what may stand between facts of one line, in comments */
export function factsIn(text: string, separator?: RegExp): Fact[] {
  const found: Fact[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    let at = offset;
    for (const part of separator === undefined ? [line] : line.split(separator)) {
      const fact = part.length > longestLine ? undefined : factOf(part.trimEnd());
      if (fact !== undefined) found.push({ ...fact, position: at + fact.position });
      at += part.length + 1;
    }
    offset += line.length + 1;
  }
  return found;
}

function factOf(line: string): Fact | undefined {
  if (!separators.test(line.slice(0, keyReach))) return undefined;
  const match = linePattern.exec(line);
  if (match === null) return undefined;
  const [, lead = '', name = '', sign = '', gap = '', raw = ''] = match;
  const key = name.trim();
  const value = raw.slice(0, longestValue).replace(/\*+$/, '').trim();
  if (value === '' || !isKey(key, value) || isCode(key, sign, value)) return undefined;
  // A time of day, a score, a place in a file, a host and its port.
  if (sign === ':' && gap === '' && (/[\d./]$/.test(key) || /^(?:\/|\\|:)/.test(value) || !isScalar(value)))
    return undefined;
  if (sign === ':' && gap === '' && /\.|^localhost$/.test(key)) return undefined;
  return isStatement(key, value) ? { key, value: scalarOf(value), position: lead.length } : undefined;
}

/** Words that make what stands before a colon a part of a sentence. */
const sentenceWord =
  /\b(?:here|is|are|was|were|will|be|this|that|these|those|what|which|how|why|let|i|we|you|my|following|follows|below|above|to|if|because|please|says?|said|asks?|asked|replied|such as|for example|note that|means?|like|including|includes|consider|using|as)\b|如下|以下|下面|上面|[是说问答道]$|表示$|认为$|我|你|这|那|请|因为|所以|就是|例如|比如|包括/iu;
const labels =
  /^(?:note|notes|warning|tip|hint|example|examples?|e\.g|i\.e|important|caution|info|question|q|a|todo|fixme|step(?: \d+)?|first|second|next|then|finally|also|thought|action|observation|ps|p\.s|re|fyi|disclaimer|attention|remember|reminder|option(?: \w)?|part(?: \d+)?|http|https|ftp|file|mailto|注意|提示|警告|示例|例子|说明|步骤|问|答|第.{1,3}步|其次|首先|最后|另外|温馨提示|免责声明|思考|观察|行动)$/iu;

const isKey = (key: string, value: string): boolean => {
  const words = key.split(/\s+/).length;
  const chinese = /[\u4e00-\u9fff]/.test(key);
  return (
    words <= 5 && !(chinese && key.length > 12) && !(labels.test(key) && !isScalar(value)) && !sentenceWord.test(key)
  );
};

const codeWord =
  /^(?:const|let|var|def|return|import|from|for|while|else|elif|try|catch|public|private|static|int|string|float|double|bool|function|class|export|type|interface|select|where|set|echo|print|sudo|git|npm|pip|curl|assert|case|default|lambda|using|package)\b/;

const isCode = (key: string, sign: string, value: string): boolean =>
  codeWord.test(key) ||
  (sign === '=' && /^[=>~]/.test(value)) ||
  /[;{]$|=>|\(\)|^[:=]|^\/\//.test(value) ||
  (sign === '=' && /[()[\]/.]/.test(key));

const mostWords = 12;

/** Short enough and not a sentence of its own, unless the key says what it is. */
function isStatement(key: string, value: string): boolean {
  if (isScalar(value) || /^["'`“「[{]/.test(value)) return true;
  const words = value.split(/\s+/).length;
  const sentence = /[.!?。！？]$/.test(value) && (words > 3 || /[。！？]$/.test(value));
  const chineseLength = (value.match(/[\u4e00-\u9fff]/g) ?? []).length;
  return (
    words <= mostWords && chineseLength <= 24 && !(sentence && key.split(/\s+/).length > 2) && !(sentence && words > 8)
  );
}

const isScalar = (value: string): boolean =>
  /^(?:-?[$€£¥￥]?\d[\d,.]*\s?(?:%|[\p{L}]{1,8})?|true|false|null|none|yes|no|是|否|有|无)$/iu.test(value);

function scalarOf(word: string): Json {
  const plain = word.replace(/^(["'`])(.*)\1$/, '$2');
  if (/^-?\d{1,15}(?:\.\d+)?$/.test(word)) return Number(word);
  if (/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(word)) return Number(word.replaceAll(',', ''));
  if (/^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  return plain;
}
