/** The calls of an agent as its claims are held against them: which of them worked, what each can have done, what it was about. */
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { Family } from './family.js';
import type { Grounds, RanCall } from './grounds.js';
import { wordsOfName } from './passage.js';
import { textsOf } from './text.js';
import { generalTools, lookWords, toolWords, words } from './wording-en.js';

export interface Ran {
  readonly call: RanCall;
  readonly worked: boolean;
  /** Words of its name. */
  readonly name: ReadonlySet<string>;
  /** Empty when its name tells nothing. */
  readonly families: ReadonlySet<Family>;
  readonly changes: boolean;
  /** It does whatever it is told. */
  readonly general: boolean;
  /** Arguments and result in lower case. */
  text(): string;
}

const familyWords = Object.entries(toolWords).map(([family, list]) => [family as Family, words(list)] as const);
const generals = words(generalTools);
const looks = words(lookWords);

/** More of one call's text is not searched for names. */
const mostText = 40_000;

/** What the name of a tool tells, looked up once for all its calls. */
type Named = Pick<Ran, 'name' | 'families' | 'general'> & { readonly onlyLooks: boolean };

export function ranOf({ calls }: Grounds): Ran[] {
  const known = new Map<string, Named>();
  return calls.map((call) => {
    const named = known.get(call.tool) ?? namedBy(call.tool);
    known.set(call.tool, named);
    return ranCall(call, named);
  });
}

function namedBy(tool: string): Named {
  const name = new Set(wordsOfName(tool).split(' '));
  const families = familiesIn(name);
  return {
    name,
    families,
    general: [...name].some((word) => generals.has(word)),
    onlyLooks: families.size === 0 && [...name].some((word) => looks.has(word)),
  };
}

function ranCall(call: RanCall, { name, families, general, onlyLooks }: Named): Ran {
  let text: string | undefined;
  return {
    call,
    worked: call.status === 'ok' && !saysFailed(call.data),
    name,
    families,
    changes: (call.effect === 'idempotent' || call.effect === 'unsafe') && !onlyLooks,
    general,
    text: () => {
      text ??= `${textOf(call.args)} ${textOf(call.data)}`.toLowerCase();
      return text;
    },
  };
}

const textOf = (value: Json | undefined): string =>
  value === undefined ? '' : JSON.stringify(value).slice(0, mostText);

export const familiesIn = (name: ReadonlySet<string>): ReadonlySet<Family> =>
  new Set(
    familyWords.flatMap(([family, list]) =>
      [...name].some((word) => list.has(word) || list.has(word.replace(/^re-?/, ''))) ? [family] : [],
    ),
  );

/** Words in the name of a tool of a child that may have done anything. */
export const generalName = new Set('shell bash command python code run execute'.split(' '));

/** A result that came back and says that it came to nothing. */
export function saysFailed(data: Json): boolean {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return false;
  const { error, ok, sent, status, success, exit_code, exitCode } = data as JsonObject;
  if (ok === false || success === false || sent === false) return true;
  if (typeof error === 'string' && error !== '') return true;
  if (error !== null && typeof error === 'object' && Object.keys(error).length > 0) return true;
  const code = exit_code ?? exitCode;
  if (typeof code === 'number' && code !== 0) return true;
  if (typeof status === 'number') return status >= 400 && status < 600;
  return typeof status === 'string' && /^(?:error|failed|failure|rejected|denied|refused)$/i.test(status);
}

/** Texts that others gave: results, children, context, humans; the goal is not among them. */
export function heard(grounds: Grounds, ran: readonly Ran[]): string {
  return [
    ...ran.filter(({ call }) => call.status === 'ok').map(({ call }) => textsWithKeys(call.data)),
    ...grounds.children
      .filter(({ status }) => status === 'done' || status === 'partial')
      .map(({ result, summary }) => `${textOf(result)} ${summary}`),
    grounds.context,
    ...grounds.told,
  ]
    .join('\n')
    .toLowerCase();
}

const textsWithKeys = (data: Json): string => textOf(data);

/** What the order itself hands over. */
export const orderText = (grounds: Grounds): string =>
  [grounds.goal, grounds.context, ...grounds.files, ...grounds.told].join('\n').toLowerCase();

export const argumentTexts = ({ args }: RanCall): string[] => textsOf(args);
