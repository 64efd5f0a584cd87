/** What an agent's report claims, held against the agent's own journal: pure, without a model. */
import type { Json } from '../../src/domain/json.js';
import { actionClaims } from './action-claims.js';
import type { Claim } from './claim.js';
import { withoutCode, withoutQuotes } from './clause.js';
import type { OwnSizes } from './count.js';
import { coverageClaims } from './coverage.js';
import { evidenceFrom } from './evidence.js';
import { type FigureLimits, figuresOf, measures } from './figures.js';
import { fileClaims } from './file-claims.js';
import type { Grounds } from './grounds.js';
import { needsNoTool, nothingClaim } from './nothing.js';
import { novelClaims } from './novel.js';
import { numberClaims } from './number-claims.js';
import { type Passage, passagesOf } from './passage.js';
import { pointerClaims } from './pointer-claims.js';
import { sourceClaims } from './source-claims.js';
import { statementsOf } from './statement.js';
import { subjectsOf } from './subject.js';
import { tallyOf } from './tally.js';
import { toolClaims } from './tool-claims.js';
import { unmetClaims } from './unmet.js';

export interface ClaimLimits extends FigureLimits {
  /** Characters of a report that are looked at. */
  readonly reportChars: number;
}

export const claimLimits: ClaimLimits = { numbers: 50_000, reportChars: 60_000 };

export interface Said {
  readonly result: Json;
  readonly summary: string;
  /** It says that the goal is reached. */
  readonly done: boolean;
}

/** Every claim once, the unsupported ones among them. Work grows with the size of report and grounds, not with their product. */
export function checkClaims(
  { done, result, summary }: Said,
  grounds: Grounds,
  limits: ClaimLimits = claimLimits,
): Claim[] {
  const evidence = evidenceFrom(grounds);
  const whole = bounded(
    [...passagesOf(result), ...(summary === result ? [] : passagesOf(summary, '$summary'))],
    limits.reportChars,
  );
  const spoken = whole.map((passage) =>
    typeof passage.value === 'string' ? { ...passage, value: withoutCode(passage.value) } : passage,
  );
  const own = spoken.map((passage) =>
    typeof passage.value === 'string' ? { ...passage, value: withoutQuotes(passage.value) } : passage,
  );
  const statements = statementsOf(result, summary, grounds.goal);
  const nothing = done ? nothingClaim(result, summary, evidence, statements) : undefined;
  const idle = grounds.calls.length === 0 && grounds.children.length === 0 && grounds.context === '';
  // Knowledge needs no source where none was to be looked at.
  const known = idle && needsNoTool(evidence);
  const claims = [
    ...toolClaims(own, evidence),
    ...actionClaims(own, evidence, known),
    ...(known ? fileClaims(own, evidence).filter(saysItIsThere) : fileClaims(own, evidence)),
    ...(known
      ? []
      : numberClaims(spoken, {
          figures: figuresOf(grounds, sizesOf(spoken, result), limits),
          subjects: subjectsOf(grounds),
          tally: tallyOf(grounds),
        })),
  ];
  if (!known)
    claims.push(...novelClaims(own, evidence), ...sourceClaims(own, evidence), ...pointerClaims(own, evidence));
  // Whoever claims the deed itself has been doubted already.
  if (done && !claims.some(({ kind, supported }) => !supported && (kind === 'action' || kind === 'file')))
    claims.push(...unmetClaims(statements, evidence), ...coverageClaims(statements, evidence));
  // Whoever makes claims that can be named has said more than nothing.
  if (nothing !== undefined && claims.every(({ supported }) => supported)) claims.push(nothing);
  return distinct(claims);
}

/** Of those about the same in the same words, one that is not supported. */
function distinct(claims: readonly Claim[]): Claim[] {
  const found = new Map<string, Claim>();
  for (const claim of claims) {
    const key = `${claim.kind} ${claim.about} ${claim.claim}`;
    if (!claim.supported || !found.has(key)) found.set(key, claim);
  }
  return [...found.values()];
}

/** A file is said to be there, whatever the goal; paths of a system that is explained are not. */
const saysItIsThere = ({ about, claim }: Claim): boolean =>
  madeUp.test(claim) || (document.test(about) && there.test(claim));
const document = /^[^/~.].*\.(?:svg|png|jpe?g|gif|pdf|docx?|xlsx?|pptx?|zip|csv|md|txt|mp[34]|odt)$/i;
const there = /\b(?:is|are|see|find|found|attached|available|here|enclosed)\b|见|在/i;
const madeUp = /\b(?:wrote|written|saved|stored|exported|attached|uploaded)\b|写入|保存|导出|上传|附/i;

function bounded(passages: readonly Passage[], most: number): Passage[] {
  let left = most;
  return passages.flatMap((passage) => {
    if (left <= 0) return [];
    if (typeof passage.value !== 'string') return [passage];
    const value = passage.value.slice(0, left);
    left -= value.length;
    return [{ ...passage, value }];
  });
}

/** What can be counted in the report itself: words, lines, items. */
function sizesOf(passages: readonly Passage[], result: Json): OwnSizes {
  const texts = passages.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return { texts: texts.flatMap(measures), things: [...texts.flatMap(items), ...lengthsIn(result)] };
}

/** Points of a list, and things that a sentence names one after the other. */
function items(text: string): number[] {
  const points = text.match(/^\s*(?:[-*•]|\d{1,2}[.)、])\s/gm)?.length ?? 0;
  const named = text.split(/[.\n。；;:：]/).map((sentence) => sentence.split(/[,，、]|\band\b|和/).length);
  return [points, ...new Set(named.filter((count) => count > 1))];
}

function lengthsIn(value: Json): number[] {
  if (value === null || typeof value !== 'object') return [];
  const list = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value);
  return [list.length, ...list.flatMap(lengthsIn)];
}
