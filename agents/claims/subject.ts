/** Holds the numbers of a sentence against what the results say of the things that it names. */
import { type Fact, type Group, groupsOf, unitsOf } from './fact.js';
import type { Grounds } from './grounds.js';
import { differ, factorsInto } from './measure.js';
import { type Mention, mentionsIn, plainName } from './name.js';
import type { Numeral } from './numeral.js';
import type { Sourced } from './sorted.js';

export interface Verdict {
  /** The results say this number of this very thing. */
  readonly from?: readonly string[];
  /** They say it of something else only. */
  readonly elsewhere?: true;
  /** They say another one of it: it must follow from more than chance. */
  readonly bound?: true;
  /** Lines or items of the results speak of it, and so many there are not. */
  readonly miscounted?: true;
}

type Open = { -readonly [key in keyof Verdict]: Verdict[key] } & { asField?: readonly string[] };

/** Whose number it is goes before what kind of number it is. */
function settled({ asField, from, ...rest }: Open): Verdict {
  if (from !== undefined) return { from };
  return rest.elsewhere === true || asField === undefined ? rest : { from: asField };
}

export interface Subjects {
  /** @param numerals of the text, by their place. @param beside names where the text itself has none: of its key, of its row */
  judge(text: string, numerals: readonly Numeral[], beside?: string): Verdict[];
  named(text: string): Related;
}

/** Numbers of the things that a text names, of one kind. */
export interface Kind {
  readonly own: readonly Sourced[];
  /** The few others of the kind, and what all of it comes to. */
  readonly kin: readonly Sourced[];
}
export type Related = readonly Kind[];

interface Naming {
  readonly group: IndexedGroup;
  readonly facts: readonly Fact[];
}

interface IndexedGroup {
  readonly id: number;
  readonly key: string;
  readonly isFields: boolean;
  readonly facts: readonly Fact[];
  readonly byName: ReadonlyMap<string, readonly Fact[]>;
}

/** More facts under one name tell nothing of any of them. */
const mostOfName = 3;
const mostNamed = 8;
const mostKinds = 6;
/** Others of a small group may be what it is compared with. */
const mostKin = 5;

export function subjectsOf(grounds: Grounds): Subjects {
  const index = new Map<string, Naming[]>();
  for (const [id, group] of groupsOf(grounds).entries()) addGroup(index, id, group);
  const names = new Set(index.keys());
  const han = [...names].filter((name) => /[\u4e00-\u9fff]/.test(name));
  const units = unitsOf(grounds);
  const isOfAnother = ({ unit, value }: Numeral): boolean => {
    const known = units.get(value);
    return known !== undefined && [...known].every((one) => differ(one, unit));
  };
  const mentions = (text: string): Mention[] => (index.size === 0 ? [] : mentionsIn(text, names, han));
  return {
    judge(text, numerals, beside) {
      const own = mentions(text);
      const groups = groupsNamed(own, index);
      const besides = beside === undefined ? [] : mentions(beside);
      for (const group of groupsNamed(besides, index)) groups.add(group);
      const verdicts = numerals.map((one): Open => (isOfAnother(one) ? { elsewhere: true } : {}));
      for (const group of groups) judgeIn(group, own, besides, text, numerals, verdicts);
      return verdicts.map(settled);
    },
    named(text) {
      const mentioned = mentions(text);
      return [...groupsNamed(mentioned, index)].slice(0, mostKinds).map((group) => ({
        own: distinct([...mentioned.flatMap(({ name }) => factsOf(name, group)), ...rangeIn(group, mentioned, text)]),
        kin: distinct(kinOf(group)),
      }));
    },
  };
}

/** A name of many facts tells none of them. */
function factsOf(name: string, { byName }: IndexedGroup): Sourced[] {
  const facts = byName.get(name) ?? [];
  return facts.length > 2 ? [] : facts.map(sourced);
}

const distinct = (all: readonly Sourced[]): Sourced[] =>
  [...new Map(all.map((one) => [one.value, one])).values()].slice(0, mostNamed);

const sourced = ({ from, value }: Fact): Sourced => ({ value, from: [from] });

function groupsNamed(mentions: readonly Mention[], index: ReadonlyMap<string, readonly Naming[]>): Set<IndexedGroup> {
  return new Set(mentions.flatMap(({ name }) => (index.get(name) ?? []).map(({ group }) => group)));
}

/** Only names that tell some facts of the group from others. */
function addGroup(index: Map<string, Naming[]>, id: number, { facts, isFields, key }: Group): void {
  const byName = new Map<string, Fact[]>();
  const note = (name: string, fact: Fact): void => {
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [fact]);
    else if (same.at(-1) !== fact) same.push(fact);
  };
  for (const fact of facts) for (const name of fact.names) note(name, fact);
  if (byName.size <= mostAliased)
    for (const [name, aliases] of aliasesIn([...byName.keys()]))
      for (const alias of aliases) for (const fact of byName.get(name) ?? []) note(alias, fact);
  const group: IndexedGroup = { id, key, isFields, facts, byName };
  for (const [name, own] of byName) {
    if (own.length === facts.length || own.length > mostOfName || tellsNothing(name)) continue;
    const namings = index.get(name);
    if (namings === undefined) index.set(name, [{ group, facts: own }]);
    else namings.push({ group, facts: own });
  }
}

/** What anything may be called. */
const tellsNothing = (name: string): boolean => name.length < 2 || ofAnything.test(name);
const ofAnything =
  /^(?:total|sum|value|amount|count|number|average|mean|max|min|order|result|all|(?:grand |sub ?)total|合计|总计|总数|总量|小计|平均|数量|金额)$/;

/** `城镇人口` beside `农村人口`: 城镇. `rent keur` beside `power keur`: rent. */
function aliasesIn(names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const han = names.filter((name) => /^[\u4e00-\u9fff]+$/.test(name));
  for (const name of han) {
    const start = Math.max(0, ...han.map((other) => (other === name ? 0 : common(name, other, false))));
    const end = Math.max(0, ...han.map((other) => (other === name ? 0 : common(name, other, true))));
    found.set(
      name,
      [name.slice(start), name.slice(0, name.length - end)].filter((one) => one !== name && one.length > 1),
    );
  }
  const words = new Map<string, number>();
  const latin = names.filter((name) => name.includes(' '));
  for (const word of latin.flatMap((name) => [...new Set(name.split(' '))]))
    words.set(word, (words.get(word) ?? 0) + 1);
  for (const name of latin)
    found.set(
      name,
      name
        .split(' ')
        .filter((word) => word.length > 3 && /^\p{L}+$/u.test(word) && words.get(word) === 1 && !generic.has(word)),
    );
  return found;
}
const mostAliased = 60;
const generic = new Set(
  'count total number amount value sum rate percent time size keur usd days hours minutes item'.split(' '),
);

/** How many characters both begin or end with. */
function common(one: string, other: string, fromEnd: boolean): number {
  let length = 0;
  const at = (name: string): string => name.charAt(fromEnd ? name.length - 1 - length : length);
  while (length < Math.min(one.length, other.length) && at(one) === at(other)) length += 1;
  return length;
}

interface Item {
  readonly at: number;
  readonly end: number;
  /** Of a name; undefined for a number. */
  readonly facts?: readonly Fact[];
  readonly which: number;
}

function judgeIn(
  group: IndexedGroup,
  mentions: readonly Mention[],
  besides: readonly Mention[],
  text: string,
  numerals: readonly Numeral[],
  verdicts: Open[],
): void {
  const named: Item[] = [];
  for (const { at, end, name } of mentions) {
    const facts = group.byName.get(name);
    if (facts === undefined || facts.length === group.facts.length) continue;
    const last = named.at(-1);
    // `pump in the hall`: two names of one fact.
    if (last?.facts !== undefined && sameFacts(last.facts, facts)) named[named.length - 1] = { ...last, end };
    else named.push({ at, end, facts, which: -1 });
  }
  const told = named.length === 0 ? group.facts : named.flatMap(({ facts = [] }) => facts);
  const known = (numeral: Numeral, facts: readonly Fact[]): boolean => facts.some(({ value }) => tells(numeral, value));
  const all = numerals.flatMap((numeral, which): Item[] =>
    known(numeral, group.facts) ? [{ at: numeral.at, end: numeral.end, which }] : [],
  );
  // What is told of a thing that the text does not name stands between the others.
  const ofNamed = all.filter(({ which }) => known(numerals[which] as Numeral, told));
  const figures = named.length > 1 && ofNamed.length > 1 ? ofNamed : all;
  if (named.length === 0) {
    // The strings beside it say which one it is; its key must say that it is one of these figures.
    if (!sharesWord(group.key, text)) return;
    const own = besides.flatMap(({ name }) => group.byName.get(name) ?? []);
    if (own.length > 0 && own.length <= mostOfName)
      for (const one of figures) settle(one, own, group, numerals, verdicts);
    return;
  }
  for (const [one, facts] of paired(named, figures, text)) settle(one, facts, group, numerals, verdicts);
  for (const [which, numeral] of numerals.entries())
    if (!all.some((one) => one.which === which)) tight(which, numeral, named, text, verdicts);
}

const sharesWord = (key: string, text: string): boolean =>
  key.split(' ').some(
    (word) =>
      word.length > 1 &&
      plainName(text)
        .split(' ')
        .some((other) => other === word || (word.length > 3 && other.startsWith(word))),
  );

const sameFacts = (some: readonly Fact[], other: readonly Fact[]): boolean =>
  some.length === other.length && some.every((fact) => other.includes(fact));

function settle(
  { which }: Item,
  facts: readonly Fact[],
  { isFields }: IndexedGroup,
  numerals: readonly Numeral[],
  verdicts: Open[],
): void {
  const numeral = numerals[which];
  const verdict = verdicts[which];
  if (numeral === undefined || verdict === undefined) return;
  const from = facts.filter(({ value }) => tells(numeral, value)).map((fact) => fact.from);
  if (from.length > 0 && isFields) verdict.asField = from;
  else if (from.length > 0) verdict.from = from;
  else if (Math.abs(numeral.value) > tooSmall) verdict.elsewhere = true;
}

/** Smaller ones are likely to be something else altogether. */
const tooSmall = 3;
const compares =
  /\b(?:than|versus|vs|against|over|behind|ahead|between|except|without|beside|beyond|from|to)\b|比|较|相比|超过|高于|低于|多于|少于|除|之间|距|→|->/i;
const farApart = 60;

/** Which number is told of which name: each of the one before it, or all of the one behind, or all names and then all numbers. */
function paired(named: readonly Item[], figures: readonly Item[], text: string): [Item, readonly Fact[]][] {
  const [name] = named;
  const [figure] = figures;
  if (name?.facts === undefined || figure === undefined) return [];
  if (named.length === 1 && figures.length === 1) {
    const between = text.slice(Math.min(name.end, figure.end), Math.max(name.at, figure.at));
    return compares.test(between) || between.length > farApart ? [] : [[figure, name.facts]];
  }
  const items = [...named, ...figures].sort((a, b) => a.at - b.at);
  const kinds = items.map(({ facts }) => (facts === undefined ? 'N' : 'L')).join('');
  if (named.length === figures.length && /^(?:L+N+|N+L+)$/.test(kinds))
    return figures.flatMap((one, at): [Item, readonly Fact[]][] => {
      const facts = named[at]?.facts;
      return facts === undefined ? [] : [[one, facts]];
    });
  if (!/^(?:(?:LN)+L?|(?:NL)+)$/.test(kinds)) return [];
  const step = kinds.startsWith('L') ? -1 : 1;
  return items.flatMap((item, at): [Item, readonly Fact[]][] => {
    const other = items[at + step];
    if (item.facts !== undefined || other?.facts === undefined) return [];
    const between = text.slice(Math.min(item.end, other.end), Math.max(item.at, other.at));
    return between.length > farApart || /比|\bthan\b/.test(between) ? [] : [[item, other.facts]];
  });
}

const ends = /^\s*(?:$|[,，;；.。)）|/·•\n]|and\b|和)/;
const afterUnit = (text: string, { end, unit }: Numeral): string =>
  text
    .slice(end)
    .replace(/^\s?(?:[\u4e00-\u9fff](?![\u4e00-\u9fff])|%)/, '')
    .replace(unit === '' ? /^$/ : new RegExp(`^\\s?${unit.replace(/[^\p{L}]/gu, '.')}\\b`, 'iu'), (word) =>
      factorsInto(unit).length > 0 ? '' : word,
    );

/** `23 shipped`, `failed: 4`: nothing else stands between. */
function tight(which: number, numeral: Numeral, named: readonly Item[], text: string, verdicts: Open[]): void {
  const verdict = verdicts[which];
  if (verdict === undefined || numeral.unit === '%' || numeral.approximate) return;
  const near = named.find(
    ({ at, end }) =>
      (/^(?:\s?[:：=是为|]\s?|\s)$/.test(text.slice(end, numeral.at)) && ends.test(afterUnit(text, numeral))) ||
      (at >= numeral.end && /^\s?$/.test(text.slice(numeral.end, at)) && ends.test(text.slice(end))),
  );
  if (near?.facts === undefined) return;
  const values = near.facts.map(({ value }) => value);
  const sum = values.reduce((total, value) => total + value, 0);
  if ([sum, sum / values.length].some((value) => tells(numeral, value))) return;
  verdict.bound = true;
}

function kinOf({ facts }: IndexedGroup): Sourced[] {
  const sum = { value: total(facts), from: [...new Set(facts.map(({ from }) => from))] };
  return facts.length <= mostKin ? [sum, ...facts.map(sourced)] : [sum];
}

const total = (facts: readonly Fact[]): number => facts.reduce((sum, { value }) => sum + value, 0);

/** What lies between two names: `Monday to Wednesday`. */
function rangeIn({ byName, facts }: IndexedGroup, mentions: readonly Mention[], text: string): Sourced[] {
  const [first, last] = mentions.flatMap(({ at, end, name }) =>
    (byName.get(name) ?? []).slice(0, 1).map((fact) => ({ fact, at, end })),
  );
  if (first === undefined || last === undefined || !until.test(text.slice(first.end, last.at))) return [];
  const some = facts.slice(facts.indexOf(first.fact), facts.indexOf(last.fact) + 1);
  return [{ value: total(some), from: [...new Set(some.map(({ from }) => from))] }];
}
const until = /^\s?(?:to|through|till|until|[-–—至到])\s?$/;

/** The number is this one, as it stands, rounded, as a percentage or in another unit or scale. */
export function tells({ approximate, step, unit, value }: Numeral, fact: number): boolean {
  const dust = Math.abs(fact) * 1e-9 + 1e-12;
  if (Math.abs(fact - value) <= dust || Math.abs(fact + value) <= dust) return true;
  const reach = approximate ? step : step / 2;
  if (Math.abs(fact - value) <= reach + dust && (approximate || !Number.isInteger(fact / step))) return true;
  if (unit === '%' && Math.abs(fact * 100 - value) <= reach + dust) return true;
  if (value === 0 || fact === 0 || String(value).replace(/\D|0+$/g, '').length < 2) return false;
  return [...scales, ...factorsInto(unit)].some((factor) => Math.abs(fact * factor - value) <= reach * (1 + 1e-9));
}
const scales = [1e-3, 1e3, 1e-4, 1e4, 1e-6, 1e6];
