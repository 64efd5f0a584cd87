/** Calls that the same reply takes back or repeats. */
import { canonicalJson } from '../domain/json.js';
import type { ReadyCall } from './judge.js';
import type { CueMatchers } from './wording/cue.js';
import { asksLeave, openingSentences } from './wording/lead.js';

export interface Superseded {
  readonly call: ReadyCall;
  readonly reason: string;
}

export interface Revision {
  readonly calls: readonly ReadyCall[];
  readonly superseded: readonly Superseded[];
  /** Number of repeats that were left out. */
  readonly repeated: number;
}

/** @param said the visible text between two offsets */
export function revise(
  calls: readonly ReadyCall[],
  said: (from: number, to: number) => string,
  end: number,
  cues: CueMatchers,
): Revision {
  const live: ReadyCall[] = [];
  const superseded: Superseded[] = [];
  const drop = (old: ReadyCall, reason: string): void => {
    live.splice(live.indexOf(old), 1);
    superseded.push({ call: old, reason });
  };
  calls.forEach((call, i) => {
    const before = calls[i - 1];
    if (before !== undefined && call.start >= before.end) {
      for (const old of replacedBy(call, live, said(before.end, call.start), cues))
        drop(old, 'replaced by a later call in the same reply');
    }
    live.push(call);
  });
  for (const old of withdrawn(live, said, end, cues)) drop(old, 'taken back in the same reply');
  const unique = distinct(live);
  return { calls: unique, superseded, repeated: live.length - unique.length };
}

/** The earlier calls that `call` stands for, by the words between. Of another tool only when the words point at it. */
function replacedBy(call: ReadyCall, live: readonly ReadyCall[], words: string, cues: CueMatchers): ReadyCall[] {
  const between = words.trim();
  if (between === '' || live.length === 0) return [];
  const revoked = cues.revoked.test(between) || cues.withdrawn.test(between);
  const adds = cues.addition.test(between);
  const corrects = revoked || (!adds && (cues.corrected.test(between) || cues.hesitation.test(between)));
  if (!corrects) return [];
  const same = live.filter((old) => old.name === call.name && old.end <= call.start);
  if (same.length === 0) return revoked ? (cues.plural.test(between) ? [...live] : live.slice(-1)) : [];
  if (same.length > 1 && cues.plural.test(between)) return same;
  return [mostAlike(call, same)];
}

/** Of several calls of one tool, the one whose arguments differ least; the last when equal. */
function mostAlike(call: ReadyCall, olds: readonly ReadyCall[]): ReadyCall {
  const shared = (old: ReadyCall): number =>
    Object.keys(call.arguments).filter(
      (key) => canonicalJson(call.arguments[key]) === canonicalJson(old.arguments[key]),
    ).length;
  return olds.reduce((best, old) => (shared(old) >= shared(best) ? old : best));
}

/** The calls that the words after the last one take back, or make depend on an answer. */
function withdrawn(
  live: readonly ReadyCall[],
  said: (from: number, to: number) => string,
  end: number,
  cues: CueMatchers,
): ReadyCall[] {
  const last = live[live.length - 1];
  if (last === undefined || last.end >= end) return [];
  const after = said(last.end, end).trim();
  if (after === '') return [];
  if (cues.withdrawn.test(after)) return cues.plural.test(after) ? [...live] : [last];
  if (openingSentences(after).some((sentence) => asksLeave(sentence, cues)))
    return live.filter((call) => !call.harmless);
  return [];
}

/** Equal calls once. The ids of those left out stay with it: an API wants an answer for each. */
function distinct(calls: readonly ReadyCall[]): readonly ReadyCall[] {
  if (calls.length < 2) return calls;
  const first = new Map<string, ReadyCall>();
  for (const call of calls) {
    const key = `${call.name}\n${canonicalJson(call.arguments)}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, call);
    else if (call.id !== undefined && call.id !== known.id)
      first.set(key, { ...known, repeats: [...(known.repeats ?? []), call.id] });
  }
  return [...first.values()];
}
