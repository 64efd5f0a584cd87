/** Names of things as texts mention them: `units_sold`, `Oslo`, `FP702`, `城东店`. */
import { stemOf } from './known.js';
import { wordsOfName } from './passage.js';

/** In lower case, each word cut to its stem. */
export const plainName = (name: string): string => wordsOfName(name).split(/\s+/).map(stemmed).join(' ').trim();

/** Cut until nothing more comes off: `passed` and `pass` are one. */
export function stemmed(word: string): string {
  let stem = word;
  for (let last = ''; last !== stem; ) {
    last = stem;
    stem = stemOf(stem);
  }
  return stem;
}

const weekdays = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const months = 'january february march april may june july august september october november december'.split(' ');

/** The spellings under which it may be mentioned. */
export function namesOf(name: string): string[] {
  const plain = plainName(name);
  if (plain === '' || /^[\d\s]+$/.test(plain) === true) return inCalendar(name);
  return [plain, ...inCalendar(name)];
}

/** `thu`, `2026-04`. */
function inCalendar(name: string): string[] {
  const lower = name.trim().toLowerCase();
  const day = /^[a-z]{3,4}$/.test(lower) ? weekdays.find((one) => one.startsWith(lower)) : undefined;
  const month = /^[a-z]{3,4}$/.test(lower) ? months.findIndex((one) => one.startsWith(lower)) : -1;
  const number = month >= 0 ? month + 1 : Number(/^(?:19|20)\d\d[-/](\d{1,2})$/.exec(lower)?.[1] ?? 0);
  const monthName = months[number - 1];
  return [
    ...(day === undefined ? [] : [stemmed(day)]),
    ...(monthName === undefined ? [] : [stemmed(monthName), `${number}月`]),
  ];
}

const functionWords =
  /[的了是在和与及或也都已把被给将就还要这那有为对从到并共合计总约个件条名项份家次台只本位天人元页行箱吨]/;

/** Words of a line of prose that may tell what its number is of. */
export const textNames = (line: string): string[] => [
  ...(line.match(/\p{Script=Latin}[\p{Script=Latin}\d_'-]{2,}/gu) ?? []).map(plainName),
  ...(line.match(/[\u4e00-\u9fff]+/g) ?? []).flatMap((run) =>
    run.split(functionWords).filter((piece) => piece.length > 1 && piece.length < 9),
  ),
];

export interface Mention {
  readonly name: string;
  readonly at: number;
  readonly end: number;
}

const token = /[\p{Script=Latin}\d][\p{Script=Latin}\d_'.-]*/gu;
const mostWords = 4;

/** Where a text mentions names. @param names as `namesOf` spells them. @param han those of them with Han characters */
export function mentionsIn(text: string, names: ReadonlySet<string>, han: readonly string[]): Mention[] {
  const found: Mention[] = [];
  const tokens = [...text.matchAll(token)].map((match) => {
    const word = match[0].replace(/[.'-]+$/, '');
    return { plain: plainName(word), at: match.index, end: match.index + word.length };
  });
  for (let at = 0; at < tokens.length; at += 1)
    for (let count = Math.min(mostWords, tokens.length - at); count > 0; count -= 1) {
      const some = tokens.slice(at, at + count);
      const name = some.map(({ plain }) => plain).join(' ');
      if (!names.has(name)) continue;
      found.push({ name, at: some[0]?.at ?? 0, end: some.at(-1)?.end ?? 0 });
      at += count - 1;
      break;
    }
  if (/[\u4e00-\u9fff]/.test(text)) found.push(...hanMentions(text, han));
  return found.sort((a, b) => a.at - b.at);
}

/** The longest of those at one place. */
function hanMentions(text: string, han: readonly string[]): Mention[] {
  const lower = text.toLowerCase();
  const found: Mention[] = [];
  for (const name of han) {
    if (/\d[\u4e00-\u9fff]/.test(name)) {
      // `3 月` is 3月.
      const spaced = new RegExp(
        `(?<!\\d)${name.replace(/[^\d\u4e00-\u9fff]/g, '.').replace(/(\d)(?=[\u4e00-\u9fff])/g, '$1\\s?')}`,
        'g',
      );
      for (const { 0: raw, index } of lower.matchAll(spaced)) found.push({ name, at: index, end: index + raw.length });
    } else
      for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + 1))
        found.push({ name, at, end: at + name.length });
  }
  return found.filter(
    (one) =>
      !found.some(
        (other) =>
          other !== one && other.at <= one.at && other.end >= one.end && other.end - other.at > one.end - one.at,
      ),
  );
}
