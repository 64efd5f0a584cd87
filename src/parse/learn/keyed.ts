/** Wrappers that write a key and a value after the other: elements, pairs of tags, attributes, lines. */
import type { Json, JsonObject } from '../../domain/json.js';
import type { Rewrite } from '../spellings.js';
import { closerIn, commonPrefix, commonSuffix, isDistinct, openerIn } from './affix.js';
import type { Layout } from './layout.js';
import type { Proposal } from './proposal.js';

type Keys = Extract<Layout, { shape: 'keys' }>;

interface Separators {
  /** Between the name and the first key's marker. */
  readonly mid: string;
  readonly beforeKey: string;
  readonly toValue: string;
  readonly afterValue: string;
  readonly close: string;
}

const PARAMETER = '\n<parameter name="$">';

export function keyedProposal(layouts: readonly Keys[]): Proposal[] {
  const open = openerIn(commonSuffix(layouts.map(({ before }) => before)));
  const separators = separatorsOf(layouts);
  if (separators === undefined || open.trim() === '') return [];
  const { mid, beforeKey, toValue, afterValue, close } = separators;
  const bounded = isDistinct(open) && isDistinct(close);
  const within = bounded ? { within: [open, close.trim()] as [string, string] } : {};
  const marks = beforeKey.trim() !== '' || (bounded && beforeKey.includes('\n'));
  if (!marks || (!bounded && !isDistinct(beforeKey))) return [];
  const rewrites: Rewrite[] = [{ from: `${beforeKey}$${toValue}`, to: PARAMETER, ...within }];
  if (afterValue.trim() !== '') rewrites.push({ from: afterValue.trimEnd(), to: '</parameter>', ...within });
  if (close.trim() !== '') rewrites.push({ from: close.trim(), to: '</invoke>' });
  // Keys were rewritten before: where nothing else stands behind the name, it ends at the first of them.
  rewrites.push(
    mid === ''
      ? { from: `${open}$\n<parameter`, to: '<invoke name="$">\n<parameter' }
      : { from: `${open}$${mid}`, to: '<invoke name="$">\n' },
  );
  const values = layouts.map((layout) => valuesOf(layout, separators));
  if (values.some((args) => Object.values(args).some(isQuoted))) return [];
  return [{ addition: { rewrites }, arguments: values }];
}

/** Quotes that belong to the layout would become part of the value. */
const isQuoted = (value: Json | undefined): boolean => {
  const text = String(value);
  return (text.split('"').length - 1) % 2 === 1 || /^(["'`]).*\1$/s.test(text);
};

/** What all samples have in common. A letter or digit at the edge belongs to a value that they happen to share. */
function separatorsOf(layouts: readonly Keys[]): Separators | undefined {
  const head = layouts[0]?.rest.slice(0, layouts[0].keys[0]?.at ?? 0) ?? '';
  if (layouts.some(({ rest, keys }) => rest.slice(0, keys[0]?.at ?? 0) !== head)) return undefined;
  const toValue = commonPrefix(layouts.flatMap((layout) => layout.keys.map((_, i) => behindKey(layout, i)))).replace(
    /[\p{L}\p{N}_]+$/u,
    '',
  );
  if (toValue.trim() === '') return undefined;
  const tails = layouts.map((layout) => behindKey(layout, layout.keys.length - 1).slice(toValue.length));
  const betweens = layouts.flatMap(({ rest, keys }) =>
    keys.slice(1).map(({ at }, i) => rest.slice(endOf(keys[i]) + toValue.length, at)),
  );
  if (betweens.length === 0) {
    const beforeKey = /[^\p{L}\p{N}\s"'=]+[\p{L}\p{N}_\-\s]*["'=]*$/u.exec(head)?.[0] ?? '';
    return { mid: withoutEnd(head, beforeKey), beforeKey, toValue, afterValue: '', close: closing(tails) };
  }
  const between = commonSuffix(betweens).replace(/^[\p{L}\p{N}_.]+/u, '');
  if (between === '') return undefined;
  const beforeKey = commonSuffix([head, between]);
  const afterValue = withoutEnd(between, beforeKey);
  const close =
    afterValue.trim() === ''
      ? closing(tails)
      : closerIn(commonPrefix(tails.map((tail) => behind(tail, afterValue.trimEnd()))));
  return { mid: withoutEnd(head, beforeKey), beforeKey, toValue, afterValue, close };
}

const endOf = (key: Keys['keys'][number] | undefined): number => (key?.at ?? 0) + (key?.name.length ?? 0);
const behindKey = ({ rest, keys }: Keys, i: number): string => rest.slice(endOf(keys[i]));
const withoutEnd = (text: string, end: string): string => text.slice(0, text.length - end.length);

function behind(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? '' : text.slice(at + mark.length);
}

/** The end of a line that every tail has, from a mark on: what closes the last value and the call. */
function closing(tails: readonly string[]): string {
  const [first = ''] = tails;
  for (let at = 0; at < first.length; at += 1) {
    if (/[\p{L}\p{N}\s.,]/u.test(first[at] as string)) continue;
    const line = first.indexOf('\n', at);
    const mark = first.slice(at, line < 0 ? first.length : line).trimEnd();
    if (isDistinct(mark) && tails.every((tail) => tail.includes(mark))) return mark;
  }
  return '';
}

function valuesOf(layout: Keys, { beforeKey, toValue, afterValue, close }: Separators): JsonObject {
  return Object.fromEntries(
    layout.keys.map(({ name }, i): [string, string] => {
      const next = layout.keys[i + 1];
      const part = behindKey(layout, i).slice(toValue.length);
      const own =
        next === undefined ? part : part.slice(0, next.at - beforeKey.length - endOf(layout.keys[i]) - toValue.length);
      const mark = afterValue.trim() === '' ? (next === undefined ? close.trim() : '') : afterValue.trimEnd();
      const stop = mark === '' ? -1 : own.indexOf(mark);
      return [name, (stop < 0 ? own : own.slice(0, stop)).trim()];
    }),
  );
}
