/** How the text around its calls introduces them: as meant, or as an example, a past call, one that shall not be made. */
import { followOf, leadTo } from './clean.js';
import { isHarmless } from './judge.js';
import { type NameIndex, spelt } from './name.js';
import type { Candidate, Piece } from './piece.js';
import type { CueMatchers } from './wording/cue.js';
import { leadVerdict } from './wording/lead.js';

/**
 * For each call, in text order, what speaks against it. What introduces several calls holds for all of them, up to the first
 * words that say something else; a sentence that goes on around a list of calls speaks of each of them.
 */
export function introduce(
  text: string,
  pieces: readonly Piece[],
  candidates: readonly Candidate[],
  index: NameIndex,
  cues: CueMatchers,
): (string | undefined)[] {
  let standing: { readonly reason: string; readonly firm: boolean } | undefined;
  let inside = false;
  let end = -1;
  return candidates.map((candidate) => {
    if (candidate.withheld !== undefined) return undefined;
    // Calls of one list begin where it begins, and end where it ends.
    if (candidate.start >= end) {
      const lead = leadTo(text, pieces, candidate.start);
      const line = lead.text.slice(lead.text.lastIndexOf('\n') + 1);
      inside = insideSentence(candidate, line, followOf(text, pieces, candidate.end));
      const verdict = inside ? undefined : leadVerdict(lead, cues);
      if (verdict?.kind === 'clear') standing = undefined;
      if (verdict?.kind === 'holds') standing = verdict;
    }
    end = Math.max(end, candidate.end);
    if (inside) return 'it stands inside a sentence that speaks of it';
    if (standing === undefined) return undefined;
    const match = spelt(candidate.name, index);
    const harmless = match !== undefined && match.kind !== 'unknown' && isHarmless(match.tool);
    return harmless && !standing.firm ? undefined : standing.reason;
  });
}

/** Words before and behind on one line; behind a marker, the sentence must go on. */
function insideSentence(candidate: Candidate, before: string, after: string): boolean {
  if (before.trim() === '' || !/^[\s"'”’」|)]*[\p{L}\p{N}]/u.test(after)) return false;
  if (!candidate.marked) return true;
  return !/[.:!?。：！？…]["'”’)]*\s*$/.test(before) && GOES_ON.test(after);
}

/** Two words, the first in lower case, or four characters of a script without cases. */
const GOES_ON = /^[\s"'”’」)]*(?:\p{Ll}+\s+\S|\p{Lo}{4})/u;
