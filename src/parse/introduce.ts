/** How the text around its calls introduces them: as meant, or as an example, a past call, one that shall not be made. */
import { followOf, leadTo } from './clean.js';
import { type Heading, headingsOf, headingsOver } from './heading.js';
import { isHarmless } from './judge.js';
import { type NameIndex, spelt } from './name.js';
import type { Candidate, Piece } from './piece.js';
import { inIndentedBlock } from './shown.js';
import type { CueMatchers } from './wording/cue.js';
import { firmReason, type LeadVerdict, leadVerdict, type Objection } from './wording/lead.js';

interface Introduction {
  /** Text stands before it, and neither a call nor a fence between. */
  readonly follows: boolean;
  /** The words before it on its line. */
  readonly line: string;
  readonly verdict: LeadVerdict;
}

/**
 * For each call, in text order, what speaks against it. What introduces several calls holds for all of them, up to the first
 * words that say something else; a sentence that goes on around calls that stand side by side speaks of each of them.
 */
export function introduce(
  text: string,
  pieces: readonly Piece[],
  candidates: readonly Candidate[],
  index: NameIndex,
  cues: CueMatchers,
): (string | undefined)[] {
  const introductions = introductionsOf(text, pieces, candidates, cues);
  const ends = groupEnds(candidates, introductions);
  const section = sections(text, pieces, cues);
  let standing: Objection | undefined;
  let announced = false;
  return candidates.map((candidate, i) => {
    const introduction = introductions[i];
    if (introduction === undefined) return undefined;
    const { line, verdict } = introduction;
    if (verdict.kind !== 'goes on') {
      announced = verdict.kind === 'announced';
      standing = verdict.kind === 'holds' ? verdict : undefined;
      if (verdict.kind === 'clear' || (verdict.kind === 'announced' && !verdict.own))
        standing = section(candidate.start);
      if (verdict.kind === 'clear' && introduction.follows && inIndentedBlock(text, candidate.start))
        standing ??= INDENTED;
    }
    standing = insideSentence(candidate, line, followOf(text, pieces, ends[i] as number), announced, cues) ?? standing;
    if (standing === undefined) return undefined;
    const match = spelt(candidate.name, index);
    const harmless = match !== undefined && match.kind !== 'unknown' && isHarmless(match.tool);
    return harmless && !standing.firm ? undefined : standing.reason;
  });
}

/** The words before a call say that it is made now. */
export const isAnnounced = (text: string, pieces: readonly Piece[], { start }: Candidate, cues: CueMatchers): boolean =>
  leadVerdict(leadTo(text, pieces, start), cues).kind === 'announced';

/** Undefined for calls that do not count anyway. Calls of one list begin where it begins, and so go on. */
function introductionsOf(
  text: string,
  pieces: readonly Piece[],
  candidates: readonly Candidate[],
  cues: CueMatchers,
): (Introduction | undefined)[] {
  let end = -1;
  return candidates.map((candidate) => {
    if (candidate.withheld !== undefined) return undefined;
    const listed = candidate.start < end;
    end = Math.max(end, candidate.end);
    if (listed) return LISTED;
    const lead = leadTo(text, pieces, candidate.start);
    return {
      follows:
        !lead.afterCall && lead.text.trimEnd() !== '' && text.startsWith(lead.text, candidate.start - lead.text.length),
      line: lead.text.slice(lead.text.lastIndexOf('\n') + 1),
      verdict: leadVerdict(lead, cues),
    };
  });
}

const LISTED: Introduction = { follows: false, line: '', verdict: { kind: 'goes on' } };

/** For each call, the end of the last one that goes on from it without other words. */
function groupEnds(
  candidates: readonly Candidate[],
  introductions: readonly (Introduction | undefined)[],
): readonly number[] {
  const ends = candidates.map(({ end }) => end);
  let next: number | undefined;
  for (let i = candidates.length - 1; i >= 0; i--) {
    const introduction = introductions[i];
    if (introduction === undefined) continue;
    if (next !== undefined) ends[i] = Math.max(ends[i] as number, next);
    next = introduction.verdict.kind === 'goes on' ? ends[i] : undefined;
  }
  return ends;
}

/** What the headings over a place say against a call there. */
function sections(
  text: string,
  pieces: readonly Piece[],
  cues: CueMatchers,
): (offset: number) => Objection | undefined {
  let headings: readonly Heading[] | undefined;
  const shows = new Map<Heading, boolean>();
  const showsCalls = (heading: Heading): boolean => {
    const known = shows.get(heading) ?? (cues.title.test(heading.text) || firmReason(heading.text, cues) !== undefined);
    shows.set(heading, known);
    return known;
  };
  return (offset) => {
    headings ??= headingsOf(text, pieces);
    return headingsOver(headings, offset).some(showsCalls) ? SECTION : undefined;
  };
}

const SECTION: Objection = { reason: 'the heading over it presents it as no call', firm: false };
const INDENTED: Objection = { reason: 'it stands in an indented block of code', firm: false };
const INSIDE: Objection = { reason: 'it stands inside a sentence that speaks of it', firm: true };
const INSIDE_CLAUSES: Objection = { ...INSIDE, firm: false };

/** Words before and behind on one line; behind a marker, the sentence must go on. Behind a comma it may tell what comes next. */
function insideSentence(
  candidate: Candidate,
  before: string,
  after: string,
  announced: boolean,
  cues: CueMatchers,
): Objection | undefined {
  if (!/[\p{L}\p{N}]/u.test(before)) return announced || !cues.spokenOf.test(after) ? undefined : INSIDE_CLAUSES;
  const open = !SENTENCE_END.test(before);
  if (/:\s*$/.test(before) && NEW_SENTENCE.test(after)) return undefined;
  if (/^[\s"'”’」|)）]*[\p{L}\p{N}]/u.test(after))
    return !candidate.marked || (open && GOES_ON.test(after)) ? INSIDE : undefined;
  const clause = COMMA.exec(after);
  if (clause === null || announced || !open || !/[\p{L}\p{N}][\s"'“”‘’「（(]*$/u.test(before)) return undefined;
  return GOES_ON.test(after.slice(clause[0].length)) ? INSIDE_CLAUSES : undefined;
}

const SENTENCE_END = /[.:!?。：！？…]["'”’)]*\s*$/;
const COMMA = /^[\s"'”’」|)）]*(?:[,，;；、]|[–—-]{1,2}(?=[\s\p{L}]))\s*/u;

/** Behind a space, a word with a capital and a word in lower case. */
const NEW_SENTENCE = /^\s+\p{Lu}\p{Ll}*\s+\p{Ll}/u;

/** Two words, the first in lower case, or four characters of a script without cases. */
const GOES_ON = /^[\s"'”’」)）]*(?:\p{Ll}+\s+\S|\p{Lo}{4})/u;
