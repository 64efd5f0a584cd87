/**
 * What a report that says `done` must own up to: effects that the order asks for and no call had, and calls that failed
 * for good. How it words its success does not matter; only whether it says that something is wanting.
 */
import { plainlyFits } from './action-claims.js';
import { type Claim, unsupported } from './claim.js';
import { deedsIn } from './deed.js';
import { type Demand, demandsOf } from './demand.js';
import type { Evidence } from './evidence.js';
import type { Reported } from './grounds.js';
import { contentOf } from './known.js';
import { valuesIn } from './numeral.js';
import { wordsOfName } from './passage.js';
import { argumentTexts, familiesIn, generalName, type Ran } from './ran.js';
import type { Statement } from './statement.js';

/** One thing that did not come about. */
interface Gap {
  readonly what: string;
  readonly reason: string;
  /** Only who says one of these words hides it: the order left it open whether it is to be done. */
  readonly said: readonly string[];
  /** Stems that only this gap is about. */
  readonly about: readonly string[];
  /** Stems by which an admission may tell it as well. */
  readonly told: readonly string[];
  /** Calls of its kind, when others of them worked: only who speaks of them hides it. */
  readonly tried: number;
}

export function unmetClaims(statements: readonly Statement[], evidence: Evidence): Claim[] {
  const gaps = [...failures(evidence), ...wanting(evidence)].slice(0, mostGaps);
  const admitted = statements.filter((one) => one.admits || postpones.test(one.text));
  const fruitless = admitted.length === 0 ? withoutFruit(statements, evidence) : undefined;
  if (fruitless !== undefined) return [fruitless];
  return gaps.flatMap((gap) => {
    const others = gaps.filter((other) => other !== gap).flatMap(({ about }) => about);
    const said = claimedIn(gap, others, statements, admitted);
    return said === undefined ? [] : [unsupported('action', gap.what, said, gap.reason)];
  });
}

/** Every call failed, nothing was handed over, and the report owns up to nothing. */
function withoutFruit(statements: readonly Statement[], { grounds, ran }: Evidence): Claim | undefined {
  const isIdle = grounds.children.length === 0 && grounds.context === '' && grounds.told.length === 0;
  if (!isIdle || ran.length === 0 || ran.some(({ worked }) => worked)) return undefined;
  const [failed] = ran as [Ran, ...Ran[]];
  return unsupported(
    'tool',
    failed.call.tool,
    statements[0]?.text ?? '',
    'every call failed, and the report does not say so',
  );
}

const mostGaps = 100;
/** It leaves the deed to later or to others. */
const postpones =
  /\b(?:i|we)(?: will| can| could| would|['’]ll|['’]d)\b|\b(?:should|must|has to|needs to|ought to|is to|can) be\b|\b(?:recommend|suggest|propose)\b|\bnext\b|接下来|下一步|稍后|准备|打算|计划|建议|将(?:会|要|于|在)/i;

/** The words that hide the gap; undefined when it is owned up to. What admits another gap only does not admit this one. */
function claimedIn(
  { about, said: needed, told, tried }: Gap,
  others: readonly string[],
  statements: readonly Statement[],
  admitted: readonly Statement[],
): string | undefined {
  if (needed.length > 0) return statements.find((one) => one.asserts && sharesAny(one.text, needed))?.text;
  const claimed = statements.find((one) => one.asserts && sharesAny(one.text, about));
  if (admitted.length === 0 && tried > 0)
    return (claimed ?? statements.find((one) => speaksOfAll(one) || numeralsOf(one.text).includes(tried)))?.text;
  if (admitted.length === 0) return claimed?.text ?? statements[0]?.text ?? '';
  return admitted.every(({ text }) => !sharesAny(text, about) && !sharesAny(text, told) && sharesAny(text, others))
    ? claimed?.text
    : undefined;
}

const numeralsOf = (text: string): number[] => valuesIn(text, 50);
const speaksOfAll = ({ text }: Statement): boolean =>
  /\b(?:all|every|each|both|whole|entire|everything|complete[ds]?|done|finished|ready)\b|全部|都|所有|均|完成|[✓✔✅]/i.test(
    text,
  ) || deedsIn({ text, before: '', isHead: false }).length > 0;

const sharesAny = (text: string, stems: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return stems.some((stem) => lower.includes(stem));
};

/** Changing calls that failed, and that no later one made good. */
function failures({ known, ran }: Evidence): Gap[] {
  const changing = ran.filter((one) => one.changes && !one.name.has('delegate'));
  const worked = changing.filter((one) => one.worked);
  const gaps = changing.flatMap((one, at) => {
    if (one.worked || worked.some((other) => makesGood(other, one, changing.indexOf(other) > at, known.order)))
      return [];
    const short = argumentTexts(one.call).filter((text) => text.length <= 120);
    const done = worked.map((other) => other.text()).join('\n');
    const about = contentOf(short.join(' ')).filter((stem) => !done.includes(stem));
    const status =
      one.call.status === 'unknown'
        ? 'it is not known whether it took effect'
        : (one.call.error ?? 'its result says so');
    return [
      {
        what: one.call.tool,
        reason: `the call of ${one.call.tool} failed (${status.slice(0, 120)}), none made it good, and the report does not say so`,
        about,
        told: contentOf(one.call.error ?? ''),
        said: [],
        tried: worked.some(({ call }) => call.tool === one.call.tool)
          ? ran.filter(({ call }) => call.tool === one.call.tool).length
          : 0,
      },
    ];
  });
  return [...new Map(gaps.map((gap) => [gap.what, gap])).values()];
}

/** Another call of the kind that was about the same, or about something else than the order names. */
function makesGood(other: Ran, failed: Ran, later: boolean, order: string): boolean {
  const isKin =
    other.call.tool === failed.call.tool ||
    [...failed.families].some((family) => family !== 'change' && other.families.has(family));
  if (!isKin) return false;
  const own = new Set(argumentTexts(other.call).map((text) => text.toLowerCase()));
  const wanted = argumentTexts(failed.call).filter((text) => text.length <= 120);
  const missing = wanted.filter((text) => !own.has(text.toLowerCase()));
  if (missing.length === 0 || (later && other.call.tool === failed.call.tool && aimedAlike(other, failed))) return true;
  return later && !contentOf(missing.join(' ')).some((stem) => order.includes(stem) && !other.text().includes(stem));
}

/** The first argument tells what a call is for: `net`, then `#net`. */
function aimedAlike(other: Ran, failed: Ran): boolean {
  const [first] = Object.entries(failed.call.args).filter(([, value]) => typeof value === 'string');
  if (first === undefined) return false;
  const [wanted, got] = [first[1], other.call.args[first[0]]].map((value) => String(value).toLowerCase());
  return wanted !== undefined && got !== undefined && (got.includes(wanted) || wanted.includes(got));
}

/** Effects that the order asks for and that nothing which ran can have had. */
function wanting({ grounds, ran }: Evidence): Gap[] {
  const demands = demandsOf(grounds.goal);
  const worked = ran.filter((one) => one.changes && !one.name.has('delegate') && one.worked);
  const tried = ran.filter((one) => !one.worked && one.changes);
  const byCall = (one: Ran, { families, forms, text, verb }: Demand): boolean =>
    families.size > 0 && plainlyFits(one, { verb, forms, families, strength: 'own', clause: text, at: 0 });
  const met = (demand: Demand): boolean =>
    worked.some((one) => byCall(one, demand)) ||
    // The order's own word for a tool that only looks: `ping every node`.
    ran.some((one) => one.worked && one.name.has(demand.verb)) ||
    (demand.families.has('run') &&
      ran.some((one) => one.call.status === 'ok' && (byCall(one, demand) || sharesAny(one.text(), demand.about)))) ||
    grounds.children.some((child) => mayHave(child, demand));
  const open = demands.filter((demand) => !met(demand));
  // A tool that none of the demands explains may be what one of them meant.
  const free = new Set(
    worked.filter((one) => !demands.some((demand) => byCall(one, demand))).map(({ call }) => call.tool),
  );
  const metWords = demands.filter((demand) => !open.includes(demand)).flatMap(({ about }) => about);
  return open
    .slice(free.size)
    .filter((demand) => !tried.some((one) => byCall(one, demand)))
    .map(({ about, conditional, forms, text, verb }) => ({
      said: conditional ? forms : [],
      what: verb === '把' ? text : verb,
      reason: `the order asks for this ("${text.slice(0, 80)}"), no call that succeeded did it, and the report does not say so`,
      about: about.filter((stem) => !metWords.includes(stem)),
      told: [],
      tried: 0,
    }));
}

function mayHave(child: Reported, { families }: Demand): boolean {
  if (child.status !== 'done' && child.status !== 'partial') return false;
  return child.tools.some((tool) => {
    const name = new Set(wordsOfName(tool).split(' '));
    const own = familiesIn(name);
    return [...families].some((family) => own.has(family)) || [...name].some((word) => generalName.has(word));
  });
}
