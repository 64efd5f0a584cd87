/** Phones, identity cards and bank cards: a pattern proposes, check digits or the words before decide. */
import { hasCardPrefix, isChineseId, isOldChineseId, passesLuhn } from './check-digit.js';
import { type Chain, chainsOf, type Group, isLoose } from './digits.js';
import type { Finding } from './finding.js';

/** A run of groups within a chain that stands by itself. */
interface Candidate {
  readonly groups: readonly Group[];
  readonly digits: string;
  readonly start: number;
  readonly end: number;
  /** It is the whole chain. */
  readonly whole: boolean;
  /** The words right before it. */
  readonly words: string;
}

const wordsBefore = 28;

export function* findNumbers(text: string): Generator<Finding> {
  for (const chain of chainsOf(text)) {
    let from = 0;
    while (from < chain.groups.length) {
      const found = longestAt(text, chain, from);
      if (found === undefined) from += 1;
      else {
        yield found.finding;
        from = found.next;
      }
    }
  }
}

/**
 * Sizes of groups that can be something in the middle of a chain. Lists of numbers are long chains: without this quick
 * look every run of their groups would be examined.
 */
const shapes: ReadonlySet<string> = new Set(
  (
    '6-8-4 6-8-3 3-2-4 4-4-4-1 4-4-4-2 4-4-4-3 4-4-4-4 4-4-4-4-1 4-4-4-4-2 4-4-4-4-3 4-6-4 4-6-5 6-13 2-11 4-11 3-4-4 ' +
    '2-3-4-4 4-3-4-4 3-8 7-4 3-3-5 3-7 4-7 4-8 4-3-4 4-4-4 3-3-4 1-3-3-4'
  ).split(' '),
);

function longestAt(text: string, chain: Chain, from: number): { finding: Finding; next: number } | undefined {
  const { groups } = chain;
  const begins = from === 0 ? !chain.gluedBefore : isLoose(groups[from]?.before ?? '');
  if (!begins) return undefined;
  const most = from === 0 ? groups.length : Math.min(groups.length, from + 5);
  for (let to = most; to > from; to -= 1) {
    if (to < groups.length && !isLoose(groups[to]?.before ?? '')) continue;
    const count = groups.slice(from, to).reduce((sum, group) => sum + group.digits.length, 0);
    if (count < 7 || count > 19) continue;
    if (from > 0 && to - from > 1 && !shapes.has(sizes(groups.slice(from, to)))) continue;
    const found = recognised(text, chain, candidateOf(text, chain, from, to));
    if (found !== undefined) return { finding: found, next: to };
  }
  return undefined;
}

function recognised(text: string, chain: Chain, candidate: Candidate): Finding | undefined {
  const id = identityAt(text, candidate);
  if (id !== undefined) return id;
  const last = candidate.groups.at(-1) === chain.groups.at(-1);
  if (last && chain.gluedAfter) return undefined;
  if (isBankCard(candidate)) return finding('bank-card', candidate);
  const plus = candidate.groups[0] === chain.groups[0] ? chain.plusAt : undefined;
  if (!isPhone(candidate, plus !== undefined)) return undefined;
  return finding('phone', candidate, plus ?? bracketAt(text, candidate));
}

function candidateOf(text: string, chain: Chain, from: number, to: number): Candidate {
  const groups = chain.groups.slice(from, to);
  const start = groups[0]?.start ?? 0;
  return {
    groups,
    digits: groups.map((group) => group.digits).join(''),
    start,
    end: groups.at(-1)?.end ?? start,
    whole: groups.length === chain.groups.length,
    words: text.slice(Math.max(0, start - wordsBefore), start),
  };
}

function finding(kind: string, { start, end }: Candidate, from = start): Finding {
  return { kind, start: from, end };
}

/** The opening bracket before the first group, when it closes within: (021) 1234 5678. */
const bracketAt = (text: string, { start, groups }: Candidate): number | undefined =>
  text.charAt(start - 1) === '(' && groups.some((group) => group.before.includes(')')) ? start - 1 : undefined;

const idWords = /身份证|证件号|公民号码|\bid[ -]?card\b|identity/i;

/** Chinese identity numbers (the last character may be an X behind the digits) and US social security numbers. */
function identityAt(text: string, candidate: Candidate): Finding | undefined {
  const { digits, groups, start, end } = candidate;
  const after = text.charAt(end);
  const splits = groups.length === 1 || sizes(groups) === '6-8-4' || sizes(groups) === '6-8-3';
  if (digits.length === 17 && splits && /^[Xx]$/.test(after) && !/^\w/.test(text.slice(end + 1, end + 2))) {
    return isChineseId(digits + after) ? { kind: 'id-card', start, end: end + 1 } : undefined;
  }
  if (/^\w/.test(after)) return undefined;
  if (digits.length === 18 && splits && isChineseId(digits)) return finding('id-card', candidate);
  if (groups.length === 1 && isOldChineseId(digits) && idWords.test(candidate.words))
    return finding('id-card', candidate);
  const social = sizes(groups) === '3-2-4' && groups.slice(1).every((group) => group.before === '-');
  return social && /^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/.test(digits)
    ? finding('id-card', candidate)
    : undefined;
}

const cardWords = /卡号|银行卡|信用卡|账号|帐号|card\s*(?:no|num|number|#)?\W{0,3}$|\baccount\b/i;

function isBankCard({ digits, groups, words }: Candidate): boolean {
  if (digits.length < 13 || digits.length > 19) return false;
  const shape =
    groups.length === 1 ||
    /^4-4-4-(?:[1-4]|4-[1-3])$/.test(sizes(groups)) ||
    /^4-6-[45]$/.test(sizes(groups)) ||
    sizes(groups) === '6-13';
  if (!shape || !sameSeparators(groups, /^[ -]$/)) return false;
  if (/^(\d)\1+$/.test(digits)) return false;
  return (hasCardPrefix(digits) && passesLuhn(digits)) || (digits.length >= 15 && cardWords.test(words));
}

const phoneWords =
  /(?:\b(?:tel|telephone|phone|mobile|cell|fax|call|whatsapp|sms|dial|text|contact)\b|电话|手机|联系|致电|拨打|传真|热线|座机|来电)[^\d\n]{0,14}$/i;

/** How people group the digits of a Chinese mobile number, with and without the country code. */
const mobileSizes = /^(?:11|13|15|2-11|4-11|3-4-4|2-3-4-4|4-3-4-4|3-8|7-4|3-3-5)$/;

function isPhone(candidate: Candidate, plus: boolean): boolean {
  const { digits, groups, words, whole } = candidate;
  if (digits.length < 7 || digits.length > 15) return false;
  if (plus) return digits.length >= 8 && !digits.startsWith('0') && !/0{6}$/.test(digits);
  if (/^00[1-9]\d{8,14}$/.test(digits) && groups.length > 1) return true;
  const national = digits.replace(/^(?:0?086|86)(?=1[3-9]\d{9}$)/, '');
  if (/^1[3-9]\d{9}$/.test(national) && mobileSizes.test(sizes(groups))) return true;
  if (isChineseLandline(groups) || isNorthAmerican(groups, whole)) return true;
  if (whole && isTrunkNumber(digits, groups)) return true;
  return (
    phoneWords.test(words) &&
    (digits.length >= 8 || groups.length > 1) &&
    groups.every((group) => group.digits.length >= 2)
  );
}

/** 010-12345678, (0755) 1234 5678, 021-1234-5678; the extension stays as it is. */
function isChineseLandline(groups: readonly Group[]): boolean {
  const [area, ...rest] = groups;
  if (area === undefined || !/^0(?:10|2\d|[3-9]\d{2})$/.test(area.digits)) return false;
  return /^[2-9]\d{6,7}$/.test(rest.map((group) => group.digits).join('')) && /^(?:7|8|3-4|4-4)$/.test(sizes(rest));
}

/** 212-555-1234, (212) 555-1234, 1-212-555-1234; with blanks only when nothing else stands in the chain. */
function isNorthAmerican(groups: readonly Group[], whole: boolean): boolean {
  const body = groups[0]?.digits === '1' ? groups.slice(1) : groups;
  const [area, exchange, line] = body;
  if (body.length !== 3 || sizes(body) !== '3-3-4' || area === undefined || exchange === undefined) return false;
  if (!/^[2-9]/.test(area.digits) || !/^[2-9]/.test(exchange.digits)) return false;
  const tight = /^(?:[-.]|\) ?)$/.test(exchange.before) && /^[-.]$/.test(line?.before ?? '');
  return tight || whole;
}

/** Countries that dial a zero first: 06 12 34 56 78, 030 1234567, 090-1234-5678, 020 7946 0958, 0151 23456789. */
const isTrunkNumber = (digits: string, groups: readonly Group[]): boolean =>
  digits.length >= 9 &&
  digits.length <= (/^01[567]/.test(digits) ? 12 : 11) &&
  groups.length >= 2 &&
  /^0[1-9]\d{0,3}$/.test(groups[0]?.digits ?? '') &&
  groups.every((group) => group.digits.length >= 2 && group.digits.length <= 8) &&
  sameSeparators(groups, /^[ .-]$/);

const sizes = (groups: readonly Group[]): string => groups.map((group) => group.digits.length).join('-');

const sameSeparators = (groups: readonly Group[], allowed: RegExp): boolean =>
  groups.slice(1).every((group) => allowed.test(group.before) && group.before === groups[1]?.before);
