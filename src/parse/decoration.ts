/**
 * Tags whose known name is decorated: by a family's mark before it (`<fam|tool_call>`, `<｜FAM｜invoke name="N">`) or behind
 * it (`<tool_call:fam>`). The mark is taken off, so that the walk meets the plain name.
 */
import type { MarkerTable } from './markers.js';
import type { Change } from './rewrite-spans.js';

const DECORATED =
  /<(\/?)(?:([|｜]\w{1,24}[|｜]|\w{1,24}\|)([A-Za-z]\w{1,40})|([A-Za-z]\w{1,40})(:[\w+.-]{1,24}))(?=[\s=>])/g;

/** A reply has some hundred tags. Text with more decorated ones is made to be slow, and stays as it is. */
const MOST = 20_000;

interface Found {
  readonly at: number;
  readonly mark: string;
  readonly name: string;
  readonly closing: boolean;
}

/** The marks to take off. A mark counts when it is met on two known names or between bars, else it is text. */
export function decorationsIn(text: string, table: MarkerTable): Change[] {
  if (!MARKED.test(text)) return [];
  const names = knownNames(table);
  const byMark = new Map<string, Found[]>();
  let count = 0;
  for (const match of text.matchAll(DECORATED)) {
    if (++count > MOST) return [];
    const name = (match[3] ?? match[4] ?? '').toLowerCase();
    const mark = match[2] ?? (match[5] as string);
    const found = { at: match.index + 1 + (match[1] as string).length, mark, name, closing: match[1] === '/' };
    const known = byMark.get(mark) ?? [];
    known.push(match[2] === undefined ? { ...found, at: found.at + name.length } : found);
    byMark.set(mark, known);
  }
  const kept = [...byMark].flatMap(([mark, found]) =>
    isDecoration(
      mark,
      found.filter(({ name }) => names.has(name)),
      table,
    )
      ? found
      : [],
  );
  return kept.sort((a, b) => a.at - b.at).map(({ at, mark }) => ({ at, remove: mark.length, insert: '' }));
}

const MARKED = /<\/?(?:[|｜]\w{1,24}[|｜][A-Za-z]|\w{1,24}\|[A-Za-z]|[A-Za-z]\w{1,40}:[\w+.-])/;

function isDecoration(mark: string, found: readonly Found[], table: MarkerTable): boolean {
  const first = found[0]?.name;
  if (first === undefined) return false;
  if (/^[|｜]/.test(mark)) return true;
  return (
    found.some(({ name }) => name !== first) ||
    (table.tags[first] === 'reasoning' && found.some(({ closing }) => closing))
  );
}

function knownNames(table: MarkerTable): ReadonlySet<string> {
  return new Set([
    ...Object.keys(table.tags),
    ...table.callTags,
    ...table.parameterTags,
    ...table.keyTags,
    ...table.valueTags,
  ]);
}
