/** Whether a reply in pieces means the same as the whole. */
import type { ParseTool, Reply } from '../../src/parse/reply.js';
import { createReplyStream } from '../../src/parse/stream.js';
import type { Chance } from './random.js';

export interface CutCase {
  readonly text: string;
  readonly finishReason: string;
  readonly tools: readonly ParseTool[];
  readonly whole: Reply;
}

/** Rows below this are cut at every place. */
const shortChars = 2000;

/** What counts; state map and reasoning tree follow from it when they are asked for. */
export const writtenOut = ({ calls, incomplete, superseded, rejected, reasoning, content, meta }: Reply): string =>
  JSON.stringify([calls, incomplete, superseded, rejected, reasoning, content, meta]);

/** @param cuts positions, in order */
function same(given: CutCase, wanted: string, cuts: Iterable<number>): boolean {
  const stream = createReplyStream({ tools: given.tools });
  let from = 0;
  for (const at of cuts) {
    stream.push(given.text.slice(from, at));
    from = at;
  }
  stream.push(given.text.slice(from));
  return writtenOut(stream.end(given.finishReason)) === wanted;
}

function* pieces(chance: Chance, length: number): Generator<number> {
  for (let at = 1 + chance.below(40); at < length; at += 1 + chance.below(40)) yield at;
}

/** @returns how many of `count` random ways to cut give the same, and how many were tried */
export function randomCuts(given: CutCase, count: number, chance: Chance): readonly [right: number, all: number] {
  const wanted = writtenOut(given.whole);
  let right = 0;
  for (let i = 0; i < count; i++) if (same(given, wanted, pieces(chance, given.text.length))) right++;
  return [right, count];
}

/** Every way to cut a short text in two. */
export function twoCuts(given: CutCase): readonly [right: number, all: number] {
  if (given.text.length >= shortChars) return [0, 0];
  const wanted = writtenOut(given.whole);
  let right = 0;
  for (let at = 0; at <= given.text.length; at++) if (same(given, wanted, [at])) right++;
  return [right, given.text.length + 1];
}
