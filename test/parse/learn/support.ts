/** Learners without a server: a store in memory that several of them can share, and the rows of the package. */
import { regressionRows } from '../../../src/app/regression.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { type Learned, nothingLearned } from '../../../src/parse/learn/learned.js';
import { createLearner, type Learner, type LessonStore } from '../../../src/parse/learn/learner.js';
import { type MendInput, mend } from '../../../src/parse/learn/mend.js';
import type { RegressionRow } from '../../../src/parse/learn/regression.js';
import { saidIn } from '../../../src/parse/learn/said.js';
import { type ParseTool, parseReply } from '../../../src/parse/reply.js';

/** The rows that come with the package. */
export const packaged = regressionRows();

export function memoryStore(): LessonStore {
  let learned: Learned = nothingLearned;
  return {
    read: () => learned,
    change(apply) {
      learned = apply(learned);
    },
  };
}

export const learnerOn = (store: LessonStore, rows: readonly RegressionRow[] = packaged()): Learner =>
  createLearner({ store, corpus: () => rows, alertAfter: 3 });

export function mended(
  text: string,
  tools: readonly ParseTool[],
  learner: Learner,
  finishReason = 'stop',
  more: Partial<MendInput> = {},
) {
  const markers = learner.markers();
  const reply = parseReply({ text, finishReason, tools, markers });
  const said = () => saidIn({ text }, reply, markers);
  return mend({ reply, said, whole: finishReason === 'stop', tools, rules: learner.rules(), ...more });
}

export const toolOf = (
  name: string,
  properties: JsonObject,
  required: string[],
  effect: ParseTool['effect'] = 'read',
): ParseTool => ({ name, description: name, parameters: { type: 'object', properties, required }, effect });
