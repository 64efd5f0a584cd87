/**
 * Arguments that fit the schema and still contradict the goal: the first day of a quarter that was asked for as a whole,
 * "last month" as a date, another year. Found by rule, without a model, from goal, schema and the present day.
 *
 * A repair is applied only where a wrong one does no harm: to tools that change nothing, from `sureFrom` on. Everything
 * else is a warning, and the arguments stay as the model wrote them.
 */
import type { Json, JsonObject } from '../../domain/json.js';
import type { ParseTool } from '../name.js';
import { isObject, type Schema } from '../schema.js';
import type { Day } from './calendar.js';
import { type Finding, findingText } from './finding.js';
import { measureFindings } from './measure.js';
import { type Setting, settingOf, timeFindings } from './time.js';

/** Least confidence of a repair that is applied. */
export const sureFrom = 0.8;

export interface Goal {
  readonly text: string;
  /** The day on which it was set: relative words are reckoned from it. */
  readonly today: Day;
  readonly setting: Setting;
}

/** Reads the goal once; it serves every call. */
export const readGoal = (text: string, today: Day): Goal => ({ text, today, setting: settingOf(text, today) });

export interface Meant {
  readonly arguments: JsonObject;
  /** What was changed. */
  readonly applied: readonly Finding[];
  /** What contradicts the goal and was left. */
  readonly left: readonly Finding[];
}

/** Contradictions of a call that fits its schema, most certain first. */
export function contradictions(args: JsonObject, tool: ParseTool, goal: Goal): Finding[] {
  const root: Schema = isObject(tool.parameters) ? tool.parameters : {};
  return [
    ...timeFindings(args, root, goal.setting, root),
    ...measureFindings(args, root, goal.text.slice(0, 8_000), root),
  ].sort((a, b) => b.confidence - a.confidence);
}

export const isHarmless = ({ effect }: Pick<ParseTool, 'effect'>): boolean => effect === 'pure' || effect === 'read';

/** Applies what is sure enough, unless the tool changes something. Never throws; `args` is not touched. */
export function applyFindings(args: JsonObject, tool: ParseTool, findings: readonly Finding[]): Meant {
  const applied: Finding[] = [];
  const left: Finding[] = [];
  let result = args;
  for (const finding of findings) {
    if (finding.to === undefined || finding.confidence < sureFrom || !isHarmless(tool)) {
      left.push(finding);
      continue;
    }
    result = withValue(result, finding.path, finding.to);
    applied.push(finding);
  }
  return { arguments: result, applied, left };
}

export const withValue = (object: JsonObject, path: readonly string[], value: Json): JsonObject => {
  const [name, ...rest] = path;
  if (name === undefined) return object;
  const inner = object[name];
  return { ...object, [name]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
};

/** For the repair log. */
export const repairText = (finding: Finding): string => `meaning: ${findingText(finding)}`;
