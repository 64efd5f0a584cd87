/** Random replies: built from a grammar of blocks, mutated from given texts, or raw characters. */
import { MARKERS } from '../../src/parse/markers.js';
import type { Chance } from './random.js';

export interface FuzzInput {
  readonly text: string;
  /** Values that stand only in calls which must not run, such as those inside reasoning. */
  readonly hidden: readonly string[];
  /** Values of calls that stand open and undisturbed. */
  readonly open: readonly string[];
}

type Layout = (name: string, key: string, value: string) => string;

const json = (name: string, key: string, value: string): string =>
  JSON.stringify({ name, arguments: { [key]: value } });

/** One layout of each shape. */
const layouts: readonly Layout[] = [
  (n, k, v) => `<tool_call>\n${json(n, k, v)}\n</tool_call>`,
  (n, k, v) => `\n${json(n, k, v)}\n`,
  (n, k, v) => `\`\`\`json\n${json(n, k, v)}\n\`\`\``,
  (n, k, v) => `[TOOL_CALLS][${json(n, k, v)}]`,
  (n, k, v) => `<tool_call><function=${n}>\n<parameter=${k}>\n${v}\n</parameter>\n</function></tool_call>`,
  (n, k, v) => `<function_calls><invoke name="${n}"><parameter name="${k}">${v}</parameter></invoke></function_calls>`,
  (n, k, v) => `<tool_call>${n}\n<arg_key>${k}</arg_key>\n<arg_value>${v}</arg_value>\n</tool_call>`,
  (n, k, v) => `<|tool_call_start|>[${n}(${k}='${v}')]<|tool_call_end|>`,
  (n, k, v) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${n}:0<|tool_call_argument_begin|>${JSON.stringify({ [k]: v })}<|tool_call_end|><|tool_calls_section_end|>`,
  (n, k, v) => `<function=${n}>${JSON.stringify({ [k]: v })}</function>`,
];

const toolResult = (inside: string): string => `<tool_response>${inside}</tool_response>`;

/** What takes a call out of the reply. */
const hiders: readonly ((inside: string) => string)[] = [
  (s) => `<think>\nMaybe so: ${s}\n</think>`,
  (s) => `<thinking>${s}</thinking>`,
  (s) => `[THINK]${s}[/THINK]`,
  (s) => `<!-- ${s} -->`,
  toolResult,
  (s) => `\`\`\`python\n# ${s.replaceAll('`', '')}\n\`\`\``,
  (s) => `The form \`${s.replaceAll('\n', ' ').replaceAll('`', '')}\` is what it looks like.`,
];

const prose = [
  'The table is ready.',
  'I looked at both files and found no difference.',
  'Prices rose by 3 % (see page 4).',
  '天气很好，气温二十度。',
  '报告共三页，附有图表。',
  'Total: 42 units.',
] as const;

const fragments: readonly string[] = [
  ...Object.keys(MARKERS.tokens),
  ...Object.keys(MARKERS.words).flatMap((word) => [`<|${word}|>`, `<｜${word.replaceAll('_', '▁')}｜>`]),
  ...Object.keys(MARKERS.tags).flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
  ...MARKERS.callTags.flatMap((tag) => [`<${tag} name="find">`, `<${tag}=find>`, `</${tag}>`]),
  ...MARKERS.parameterTags.flatMap((tag) => [`<${tag}=q>`, `<${tag} name="q">`, `</${tag}>`]),
  ...Object.keys(MARKERS.labels).map((label) => `\n${label}: `),
  ...[...'{}[]()<>"\'`:,;=\\/#|-*.\n\t {}"":,', '```', '```json\n', '“', '”', '：', '，', '｛', '｝', '<!--', '-->'],
  ...['{"name": "find", "arguments": {', '"q": "', 'find(', 'q=', '__proto__', 'constructor', '"__proto__": {"x": 1}'],
  ...[
    'find',
    'true',
    'None',
    '1',
    '-1e999',
    '0x1f',
    '\\u0000',
    '\\u4f60',
    '\\"',
    '\ud83d',
    '\udc00',
    '\u0000',
    '\ufeff',
  ],
  ...['wait, ', 'instead ', 'for example ', '不对，', '例如', '&lt;', '&quot;', ...prose],
];

/** A reply whose calls are known: neutral prose, open calls, and calls that must not run. */
function known(chance: Chance, names: readonly [name: string, key: string][]): FuzzInput {
  const hidden: string[] = [];
  const open: string[] = [];
  let answered = false;
  const blocks = Array.from({ length: 1 + chance.below(6) }, () => {
    const [name, key] = chance.one(names);
    const value = `v${chance.below(1e9)}x`;
    const call = chance.one(layouts)(name, key, value);
    if (chance.in(3)) return chance.one(prose);
    if (chance.in(2)) {
      hidden.push(value);
      const hide = chance.one(hiders);
      answered ||= hide === toolResult && open.length > 0;
      return hide(call);
    }
    // Behind a result that the model made up for an open call, no other one runs.
    (answered ? hidden : open).push(value);
    return call;
  });
  return { text: blocks.join('\n\n'), hidden, open };
}

const plain = (text: string): FuzzInput => ({ text, hidden: [], open: [] });

function mutated(chance: Chance, texts: readonly string[]): string {
  let text = chance.one(texts).slice(0, 4000);
  for (let i = chance.below(4); i >= 0; i--) {
    const at = chance.below(text.length + 1);
    const to = Math.min(text.length, at + chance.below(24));
    const other = chance.one(texts);
    const from = chance.below(other.length + 1);
    text = chance.one([
      () => text.slice(0, at) + text.slice(to),
      () => text.slice(0, at) + chance.one(fragments) + text.slice(at),
      () => text.slice(0, at) + chance.one(fragments) + text.slice(to),
      () => text.slice(0, to) + text.slice(at, to).repeat(1 + chance.below(8)) + text.slice(to),
      () => text.slice(0, at) + other.slice(from, from + 400) + text.slice(at),
      () => text.slice(0, at),
      () => text.slice(at),
    ])();
  }
  return text;
}

function raw(chance: Chance): string {
  const top = chance.one([128, 256, 0x3000, 0x10000]);
  return String.fromCharCode(...Array.from({ length: chance.below(200) }, () => chance.below(top)));
}

/** @param texts what mutations start from  @param names tools with the one string parameter that known replies use */
export function fuzzInput(chance: Chance, texts: readonly string[], names: readonly [string, string][]): FuzzInput {
  const kind = chance.below(10);
  if (kind < 3) return known(chance, names);
  if (kind < 5) return plain(Array.from({ length: 1 + chance.below(30) }, () => chance.one(fragments)).join(''));
  return plain(kind < 9 ? mutated(chance, texts) : raw(chance));
}
