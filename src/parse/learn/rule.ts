/** Learned rules: what a repair that once succeeded says about the next call with the same fault. Data, never code. */
import { z } from 'zod';
import { jsonSchema } from '../../domain/json.js';
import { idOf, type Life, lifeSchema, newLife } from './life.js';

const name = z.string().min(1).max(80);
const word = z.string().max(80);
const periodKind = z.enum(['day', 'week', 'month', 'quarter', 'half', 'year', 'span']);

/** What a rule looks for, and what it does then. */
export const lessonSchema = z.discriminatedUnion('on', [
  /** These keys, unknown to the schema, are those parameters. */
  z.object({ on: z.literal('keys'), tool: name, rename: z.record(word, name) }),
  /** This word in that parameter means this value. */
  z.object({ on: z.literal('value'), tool: name, parameter: name, from: word, to: jsonSchema }),
  /**
   * A call written between these texts, in this order: the first stands before the first value, the last behind the last
   * one. `read` names the parameter of each value.
   */
  z.object({ on: z.literal('text'), tool: name, literals: z.array(word).min(2).max(16), read: z.array(name).max(15) }),
  /** A goal that names such a period, and its first day in that parameter: these parameters in these forms. */
  z.object({ on: z.literal('period'), tool: name, parameter: name, kind: periodKind, set: z.record(name, word) }),
]);
export type Lesson = z.infer<typeof lessonSchema>;
export type LessonOn<K extends Lesson['on']> = Extract<Lesson, { on: K }>;

export const ruleSchema = lifeSchema.extend({ id: z.string().max(40), lesson: lessonSchema });
export type Rule = z.infer<typeof ruleSchema>;

/** Below that of any rule made by hand: a model's answer stands behind it. */
const CONFIDENCE = 0.85;

export const newRule = (lesson: Lesson, origin: Life['origin'], learnedAt: number): Rule => ({
  ...newLife(origin, CONFIDENCE, learnedAt),
  id: idOf('rule_', JSON.stringify(keyOf(lesson))),
  lesson,
});

/** Rules with the same key contradict each other or are the same. */
function keyOf(lesson: Lesson): unknown[] {
  switch (lesson.on) {
    case 'keys':
      return [lesson.on, lesson.tool, Object.keys(lesson.rename).sort()];
    case 'value':
      return [lesson.on, lesson.tool, lesson.parameter, lesson.from.toLowerCase()];
    case 'text':
      return [lesson.on, lesson.tool, lesson.literals];
    case 'period':
      return [lesson.on, lesson.tool, lesson.parameter, lesson.kind];
  }
}
