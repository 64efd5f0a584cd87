/** A part told as the whole: things that the order or a result lists one by one, of which calls reached only some. */
import type { Json } from '../../src/domain/json.js';
import { type Claim, unsupported } from './claim.js';
import { sentencesOf } from './clause.js';
import { deedsIn } from './deed.js';
import { conditional } from './demand.js';
import type { Evidence } from './evidence.js';
import { valuesIn } from './numeral.js';
import { asserts } from './polarity.js';
import type { Ran } from './ran.js';
import type { Statement } from './statement.js';
import { mentions, namesIn, plainPath } from './target.js';

/** What there is to do, and what of it was not reached. */
interface Rest {
  readonly left: readonly string[];
  readonly all: number;
  /** Names of those that were reached, of a list that the order may not be about. */
  readonly items: readonly string[];
  /** Any admission owns up to it. */
  readonly loosely: boolean;
  /** The order says that all of it is wanted. */
  readonly asked: boolean;
  readonly reason: string;
}

const quantifier =
  /\b(?:all|every|each|both|everything|entire|whole|complete(?:ly)?|fully|one by one)\b|所有|全部|每|逐|各|都|均|全都|一一/i;
const someOnly =
  /\b(?:rest|remaining|remains?|others?|partial(?:ly)?|some|not all|except|besides|first \w+|so far)\b|其余|其他|剩|部分|除|暂|还有|漏|未/i;

export function coverageClaims(statements: readonly Statement[], evidence: Evidence): Claim[] {
  return [...filesOfOrder(evidence), ...listed(evidence), ...series(evidence), ...ofChildren(evidence)].flatMap(
    (rest) => {
      if (statements.some((one) => ownsUp(one, rest))) return [];
      const goal = evidence.known.order;
      const said = statements.find((one) => partsOf(one).some((part) => asserts(part, goal) && quantifier.test(part)));
      const counted = statements.find((one) => one.asserts && valuesIn(one.text, 20).includes(rest.all));
      const claim = said ?? (rest.asked ? (counted ?? speaksOf(statements, rest)) : rest.all > 2 ? counted : undefined);
      return claim === undefined ? [] : [unsupported('action', shortly(rest.left), claim.text, rest.reason)];
    },
  );
}

/** It tells a deed, or names one of the items. */
const speaksOf = (statements: readonly Statement[], { items }: Rest): Statement | undefined =>
  statements.find(
    ({ asserts, text }) =>
      asserts &&
      (deedsIn({ text, before: '', isHead: false }).length > 0 ||
        items.some((item) => text.toLowerCase().includes(item.toLowerCase()))),
  ) ?? (items.length === 0 ? statements[0] : undefined);

const shortly = (left: readonly string[]): string => `${left.slice(0, 3).join(', ')}${left.length > 3 ? ', …' : ''}`;

/** It names what is left, counts it, or says that there is a rest. */
function ownsUp(statement: Statement, rest: Rest): boolean {
  if (rest.loosely && statement.admits) return true;
  return partsOf(statement).some((part) => partOwnsUp(part, statement, rest));
}

const partsOf = ({ text }: Statement): string[] => text.split(/[,，;；]\s?(?!\d{3})/);

function partOwnsUp(text: string, statement: Statement, { all, left }: Rest): boolean {
  const isAdmission = statement.admits && (text === statement.text || !asserts(text));
  const values = valuesIn(text, 20);
  if (all > left.length && values.includes(all - left.length) && values.includes(all)) return true;
  if (!isAdmission) return false;
  const lower = text.toLowerCase();
  return (
    left.some((item) => lower.includes(bareName(item))) ||
    values.includes(left.length) ||
    values.includes(all - left.length) ||
    someOnly.test(text) ||
    left.length === all
  );
}

/** `notes/fri.md` may be told as `fri`. */
function bareName(item: string): string {
  const name = item.toLowerCase().split(/[/\\]/).at(-1) ?? item;
  const bare = name.replace(/\.[a-z\d]{1,5}$/, '');
  return bare.length > 2 ? bare : name;
}

const and = /^(?:\s|,|、|，|and|和|及|与|以及|&|plus)+$/i;

/** `Summarise a.txt, b.txt and c.txt`. A file alone is one only where a call for it failed. */
function filesOfOrder({ grounds, ran }: Evidence): Rest[] {
  const worked = ran.filter((one) => one.worked);
  const failed = ran.filter((one) => !one.worked);
  const reached = (path: string): boolean =>
    worked.some((one) => mentions(one.text(), path)) ||
    grounds.children.some(({ files, result, summary }) =>
      [...files, JSON.stringify(result), summary].some((text) => mentions(plainPath(text), path)),
    );
  return sentencesOf(grounds.goal.slice(0, 4_000)).flatMap((sentence) => {
    if (conditional.test(sentence)) return [];
    const names = namesIn(sentence).filter(({ kind }) => kind === 'file');
    const rows = names.filter(
      ({ at, text }, index) =>
        [names[index - 1], names[index + 1]].some((other) => {
          if (other === undefined) return false;
          const [first, second] = other.at < at ? [other, { at, text }] : [{ at, text }, other];
          return and.test(sentence.slice(first.at + first.text.length, second.at));
        }) || failed.some((one) => mentions(one.text(), text)),
    );
    const left = rows.filter(({ text }) => !reached(text)).map(({ text }) => text);
    const isTried = left.some((path) => failed.some((one) => mentions(one.text(), path)));
    if (left.length === 0 || (left.length === rows.length && !isTried) || worked.some((one) => one.general)) return [];
    const reason = `the order names ${shortly(left)}, and no call that succeeded had to do with it`;
    return [{ left, all: rows.length, items: [], loosely: false, asked: true, reason }];
  });
}

const mostItems = 100;

/** The items of a result, each reached by a call of its own, or not. */
function listed({ grounds, known, ran }: Evidence): Rest[] {
  const asked = quantifier.test(grounds.goal.replace(/其他|每[天日周月年]/g, ''));
  return ran.flatMap((lister, at) => {
    if (!lister.worked) return [];
    return listsIn(lister.call.data).flatMap((items) => {
      const later = ran.slice(at + 1).filter((one) => one.call.tool !== lister.call.tool && one.worked);
      const ofItem = (one: Ran, item: string): boolean =>
        argumentsOf(one).some((text) => text === item || endsWith(text, item));
      const reached = items.filter(({ id }) => later.some((one) => ofItem(one, id)));
      const left = items.filter((item) => !reached.includes(item));
      if (reached.length === 0 || left.length === 0) return [];
      // A call that names none of them may have been for all.
      const tools = new Set(
        later.filter((one) => reached.some(({ id }) => ofItem(one, id))).map(({ call }) => call.tool),
      );
      if (later.some((one) => tools.has(one.call.tool) && !items.some(({ id }) => ofItem(one, id)))) return [];
      if (isChoice(reached, left, known.order)) return [];
      const reason = `a result lists ${items.length}, and calls that succeeded reached ${reached.length} of them`;
      return [
        {
          left: left.map(({ id }) => id),
          all: items.length,
          items: reached.map(({ id }) => id),
          loosely: false,
          asked,
          reason,
        },
      ];
    });
  });
}

const argumentsOf = ({ call }: Ran): string[] =>
  Object.values(call.args).flatMap((value) =>
    typeof value === 'string' || typeof value === 'number'
      ? [String(value).toLowerCase()]
      : Array.isArray(value)
        ? value.map((one) => String(one).toLowerCase())
        : [],
  );
const endsWith = (text: string, item: string): boolean => text.endsWith(`/${item}`) || text.endsWith(`\\${item}`);

interface ListedItem {
  readonly id: string;
  readonly fields: { readonly [key: string]: Json };
}

function listsIn(data: Json, depth = 0): ListedItem[][] {
  if (data === null || typeof data !== 'object' || depth > 3) return [];
  if (!Array.isArray(data)) return Object.values(data).flatMap((item) => listsIn(item as Json, depth + 1));
  if (data.length < 2 || data.length > mostItems) return [];
  const items = (data as readonly Json[]).flatMap((item): ListedItem[] => {
    if (typeof item === 'string') return [{ id: item.toLowerCase(), fields: {} }];
    if (item === null || typeof item !== 'object' || Array.isArray(item)) return [];
    const fields = item as { readonly [key: string]: Json };
    const id = Object.values(fields).find((value) => typeof value === 'string' || typeof value === 'number');
    return id === undefined ? [] : [{ id: String(id).toLowerCase(), fields }];
  });
  return items.length === data.length && new Set(items.map(({ id }) => id)).size === items.length ? [items] : [];
}

/** Something tells those that were reached from the others: a status, an ending, what the order asks for. */
function isChoice(reached: readonly ListedItem[], left: readonly ListedItem[], order: string): boolean {
  const all = [...reached, ...left];
  const keys = Object.keys(all[0]?.fields ?? {});
  const parts = (one: ListedItem): string[] => one.id.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 1);
  const shared = parts(reached[0] as ListedItem).filter(
    (part) => reached.every((one) => parts(one).includes(part)) && !left.some((one) => parts(one).includes(part)),
  );
  if (shared.some((part) => order.includes(part)) || reached.every(({ id }) => order.includes(id))) return true;
  return keys.some((key) => {
    const own = new Set(reached.map(({ fields }) => JSON.stringify(fields[key])));
    const others = left.map(({ fields }) => JSON.stringify(fields[key]));
    const values = all.map(({ fields }) => fields[key]);
    if (values.every((value) => typeof value === 'number') && new Set(values).size > 1)
      return separates(reached, left, key);
    return new Set(values).size < all.length && !others.some((value) => own.has(value));
  });
}

/** The figures of the ones lie above or below all of the others. */
function separates(reached: readonly ListedItem[], left: readonly ListedItem[], key: string): boolean {
  const [own, others] = [reached, left].map((some) => some.map(({ fields }) => Number(fields[key]))) as [
    number[],
    number[],
  ];
  return Math.min(...own) > Math.max(...others) || Math.max(...own) < Math.min(...others);
}

/** Calls of one tool, one after the other, of which some came to nothing and were not made good. */
function series({ grounds, ran }: Evidence): Rest[] {
  const asked = quantifier.test(grounds.goal);
  return [...new Set(ran.filter((one) => !one.changes && !one.general).map(({ call }) => call.tool))].flatMap(
    (tool) => {
      const byFirst = new Map<string, boolean>();
      for (const one of ran.filter(({ call }) => call.tool === tool)) {
        const [first] = argumentsOf(one);
        if (first !== undefined) byFirst.set(first, byFirst.get(first) === true || one.worked);
      }
      const left = [...byFirst].filter(([, worked]) => !worked).map(([item]) => item);
      if (left.length === 0 || byFirst.size - left.length < 2) return [];
      const items = [...byFirst.keys()].filter((item) => !left.includes(item));
      const reason = `${left.length} of ${byFirst.size} calls of ${tool} came to nothing`;
      return [{ left, all: byFirst.size, items, loosely: true, asked, reason }];
    },
  );
}

/** Subtasks of which the last came to nothing: no later one made it good. */
function ofChildren({ grounds: { children } }: Evidence): Rest[] {
  const failed = children.filter(({ status }) => status !== 'done' && status !== 'partial');
  if (failed.length === 0 || failed.length === children.length) return [];
  const isLast = failed.includes(children.at(-1) as (typeof children)[number]);
  const left = failed.map(({ agentId }) => agentId);
  const reason = `${failed.length} of ${children.length} subtasks came to nothing`;
  return isLast ? [{ left, all: children.length, items: [], loosely: true, asked: false, reason }] : [];
}
