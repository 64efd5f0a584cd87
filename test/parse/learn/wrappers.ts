/** Invented wrappers of the seven shapes, by seed: what a model that nobody has met yet might write. */
import type { JsonObject } from '../../../src/domain/json.js';
import type { ParseTool } from '../../../src/parse/reply.js';

export const shapes = [
  'object after marker',
  'list after marker',
  'name and JSON',
  'XML parameters',
  'key and value tags',
  'pythonic',
  'channel header',
] as const;
export type Shape = (typeof shapes)[number];

export const wrapperTools: readonly ParseTool[] = [
  tool('get_weather', { city: 'string', days: 'integer', detailed: 'boolean' }, ['city', 'days']),
  tool('track_parcel', { number: 'string', carrier: 'string' }, ['number']),
  tool('convert_money', { amount: 'number', source: 'string', target: 'string' }, ['amount', 'source', 'target']),
  tool('search_notes', { query: 'string', limit: 'integer' }, ['query', 'limit']),
];

function tool(name: string, types: Record<string, string>, required: string[]): ParseTool {
  const properties = Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { type }]));
  return { name, description: name, parameters: { type: 'object', properties, required }, effect: 'read' };
}

export interface WrapperSample {
  readonly text: string;
  readonly call: { readonly name: string; readonly arguments: JsonObject };
}

export interface Wrapper {
  readonly shape: Shape;
  /** Sample `n` always has the same text. */
  sample(n: number): WrapperSample;
}

/** mulberry32 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables = ['zor', 'bli', 'quo', 'vas', 'ken', 'mip', 'tra', 'lun', 'fex', 'dro', 'yat', 'pem', 'gri', 'sul'];
const values: Record<string, readonly (string | number | boolean)[]> = {
  city: ['Paris', '北京', 'New York', 'Århus', '上海', 'Lima'],
  days: [1, 2, 3, 5, 7],
  detailed: [true, false],
  number: ['ZX-18', 'QF 7731', 'A-004', '7C/55'],
  carrier: ['post', 'swift', '顺丰'],
  amount: [12, 99.5, 3000, 0.75],
  source: ['EUR', 'USD', 'CNY'],
  target: ['JPY', 'GBP', 'CHF'],
  query: ['tax return', '会议纪要', 'red shoes, size 42', 'a: b'],
  limit: [5, 10, 25],
};
const before = ['', 'Let me look that up.\n', 'I will check.\n\n', '我来查一下。\n', 'One moment, please: ', ''];
const after = ['', '', '\n', '\nI will report back.', '\n请稍等。', ''];

export function wrapperOf(shape: Shape, seed: number): Wrapper {
  const random = randomOf(seed * 7919 + shapes.indexOf(shape) * 104_729);
  const write = writers[shape](kitOf(random));
  return {
    shape,
    sample(n) {
      const own = randomOf(seed * 31 + n * 977 + 5);
      const one = <T>(from: readonly T[]): T => from[Math.floor(own() * from.length)] as T;
      const chosen = wrapperTools[n % wrapperTools.length] as ParseTool;
      const required = chosen.parameters.required as string[];
      const keys = Object.keys(chosen.parameters.properties as object).filter(
        (key) => required.includes(key) || own() < 0.6,
      );
      const args = Object.fromEntries(keys.map((key) => [key, one(values[key] ?? ['x'])]));
      return {
        text: `${one(before)}${write(chosen.name, args)}${one(after)}`,
        call: { name: chosen.name, arguments: args },
      };
    },
  };
}

interface Kit {
  one<T>(from: readonly T[]): T;
  word(): string;
  /** An opening and a closing marker. */
  pair(): [string, string];
  /** A marker that stands alone. */
  mark(): string;
}

function kitOf(random: () => number): Kit {
  const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const word = (): string => one(syllables) + one(syllables) + (random() < 0.3 ? `_${one(syllables)}` : '');
  const pairs: ((w: string) => [string, string])[] = [
    (w) => [`<${w}>`, `</${w}>`],
    (w) => [`<|${w}|>`, `<|/${w}|>`],
    (w) => [`[[${w}]]`, `[[/${w}]]`],
    (w) => [`⟦${w}⟧`, `⟦/${w}⟧`],
    (w) => [`@@${w}:`, `:${w}@@`],
    (w) => [`«${w}»`, `«end ${w}»`],
    (w) => [`##${w.toUpperCase()}##`, `##END##`],
    (w) => [`%%${w}:`, `%%done`],
    (w) => [`{{#${w}}}`, `{{/${w}}}`],
    (w) => [`<!${w}!>`, `<!!>`],
    (w) => [`=== ${w} ===\n`, `\n=== /${w} ===`],
    (w) => [`【${w}】`, `【/${w}】`],
  ];
  const marks: ((w: string) => string)[] = [
    (w) => `<|${w}|>`,
    (w) => `⟦${w}⟧`,
    (w) => `<~${w}~>`,
    (w) => `@${w}@`,
    (w) => `[:${w}:]`,
    (w) => `<${w}/>`,
  ];
  return { one, word, pair: () => one(pairs)(word()), mark: () => one(marks)(word()) };
}

type Write = (name: string, args: JsonObject) => string;

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const writers: Record<Shape, (kit: Kit) => Write> = {
  'object after marker'({ one, word, pair }) {
    const [open, close] = pair();
    const [name, args, gap] = [word(), word(), one(['', ' ', '\n'])];
    const spaced = one([true, false]);
    return (tool, values) => {
      const body = spaced
        ? `{"${name}": "${tool}", "${args}": ${JSON.stringify(values)}}`
        : JSON.stringify({ [name]: tool, [args]: values });
      return `${open}${gap}${body}${gap}${close}`;
    };
  },
  'list after marker'({ one, word, pair }) {
    const [open, close] = pair();
    const [name, args, gap] = [word(), word(), one(['', ' ', '\n'])];
    return (tool, values) => `${open}${gap}${JSON.stringify([{ [name]: tool, [args]: values }])}${gap}${close}`;
  },
  'name and JSON'({ one, pair, mark }) {
    const [open, close] = pair();
    const [gap, mid] = [one(['', ' ']), one([' ', ' => ', '|', '\n', mark(), ' :: '])];
    return (tool, values) => `${open}${gap}${tool}${mid}${JSON.stringify(values)}${close}`;
  },
  'XML parameters'({ one, word }) {
    const [call, arg, name, key] = [word(), word(), one(['what', 'id', 'ref', 'of']), one(['k', 'is', 'for', 'slot'])];
    const [gap, layout] = [one(['', '\n', '\n  ']), one(['attribute', 'colon', 'bare'])];
    const opener: Record<string, (tool: string) => string> = {
      attribute: (tool) => `<${call} ${name}="${tool}">`,
      colon: (tool) => `<${call}:${tool}>`,
      bare: (tool) => `<${call} ${tool}>`,
    };
    return (tool, values) => {
      const body = Object.entries(values).map(([k, v]) => `${gap}<${arg} ${key}="${k}">${plain(v)}</${arg}>`);
      return `${opener[layout]?.(tool)}${body.join('')}${gap.slice(0, 1)}</${call}>`;
    };
  },
  'key and value tags'({ one, word, pair }) {
    const [open, close] = pair();
    const [k, v, gap] = [word(), word(), one(['', '\n'])];
    const [tagged, layout] = [one(['<', '[']), one(['tags', 'tags', 'arrows'])];
    const [l, r] = tagged === '<' ? ['<', '>'] : ['[', ']'];
    return (tool, values) => {
      const body = Object.entries(values).map(([key, value]) =>
        layout === 'tags'
          ? `${gap}${l}${k}${r}${key}${l}/${k}${r}${l}${v}${r}${plain(value)}${l}/${v}${r}`
          : `\n- ${k} ${key} -> ${plain(value)} ;`,
      );
      return `${open}${tool}${body.join('')}\n${close}`;
    };
  },
  pythonic({ one, pair }) {
    const [open, close] = pair();
    const [gap, brackets, is] = [one(['', ' ']), one(['()', '[]', '{}', '()']), one(['=', '=', ': '])];
    return (tool, values) => {
      const body = Object.entries(values).map(([key, value]) => `${key}${is}${JSON.stringify(value)}`);
      return `${open}${gap}${tool}${brackets[0]}${body.join(', ')}${brackets[1]}${close}`;
    };
  },
  'channel header'({ one, word, mark }) {
    const [head, body, end] = [mark(), mark(), mark()];
    const [label, is] = [word(), one(['=', ' ', ':'])];
    return (tool, values) => `${head}${label}${is}${tool}${body}${JSON.stringify(values)}${end}`;
  },
};
