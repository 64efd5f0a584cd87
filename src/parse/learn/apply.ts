/** What admitted rules make of a call that did not fit, of a text without a readable call, and of a contradiction. */
import type { Json, JsonObject } from '../../domain/json.js';
import { fitArguments } from '../fit.js';
import type { Finding } from '../meaning/finding.js';
import { written } from '../meaning/role.js';
import type { ParseTool } from '../name.js';
import { isObject, properties } from '../schema.js';
import { confidenceOf } from './life.js';
import type { Lesson, LessonOn, Rule } from './rule.js';

export interface RuleRepair {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly confidence: number;
  readonly repairs: string[];
  /** Ids of the rules that made it. */
  readonly rules: readonly string[];
}

type Having<K extends Lesson['on']> = Rule & { readonly lesson: LessonOn<K> };

const having = <K extends Lesson['on']>(rules: readonly Rule[], on: K, tool: string): Having<K>[] =>
  rules
    .filter(
      (rule): rule is Having<K> => rule.state === 'admitted' && rule.lesson.on === on && rule.lesson.tool === tool,
    )
    .sort((a, b) => b.weight - a.weight);

/** Arguments that fit once rules have renamed keys and replaced words; undefined when no rule helps. */
export function repairArguments(rules: readonly Rule[], tool: ParseTool, args: JsonObject): RuleRepair | undefined {
  const known = properties(isObject(tool.parameters) ? tool.parameters : {});
  const used: Rule[] = [];
  let result: Record<string, Json> = { ...args };
  for (const rule of having(rules, 'keys', tool.name)) {
    const { rename } = rule.lesson;
    const fits = Object.entries(rename).every(
      ([key, name]) => Object.hasOwn(result, key) && !Object.hasOwn(result, name) && Object.hasOwn(known, name),
    );
    if (!fits) continue;
    result = Object.fromEntries(
      Object.entries(result).map(([key, value]) => [Object.hasOwn(rename, key) ? (rename[key] as string) : key, value]),
    );
    used.push(rule);
  }
  for (const rule of having(rules, 'value', tool.name)) {
    const { parameter, from, to } = rule.lesson;
    const given = Object.hasOwn(result, parameter) ? result[parameter] : undefined;
    if (typeof given !== 'string' || given.trim().toLowerCase() !== from.trim().toLowerCase()) continue;
    result = { ...result, [parameter]: to };
    used.push(rule);
  }
  return used.length === 0 ? undefined : fitted(tool, result, used);
}

/** Calls in a text that the readers found none in. Each rule is tried at every place, in linear time. */
export function repairText(rules: readonly Rule[], tools: readonly ParseTool[], text: string): RuleRepair[] {
  for (const tool of tools) {
    for (const rule of having(rules, 'text', tool.name)) {
      const found = readLayout(rule.lesson, text).map((args) => fitted(tool, args, [rule]));
      if (found.length > 0 && found.every((repair) => repair !== undefined)) return found;
    }
  }
  return [];
}

const CALLS_MAX = 16;
const VALUE_MAX = 2_000;

function readLayout({ literals, read }: LessonOn<'text'>, text: string): JsonObject[] {
  const found: JsonObject[] = [];
  const [first = ''] = literals;
  if (first === '') return found;
  for (let at = text.indexOf(first); at >= 0 && found.length < CALLS_MAX; at = text.indexOf(first, at + first.length)) {
    const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
    const values = before.trim() === '' ? valuesFrom(literals, text, at + first.length) : undefined;
    if (values !== undefined) found.push(Object.fromEntries(read.map((name, i) => [name, values[i] as Json])));
  }
  return found;
}

function valuesFrom(literals: readonly string[], text: string, from: number): string[] | undefined {
  const values: string[] = [];
  let at = from;
  for (const [i, literal] of literals.entries()) {
    if (i === 0) continue;
    const isLast = i === literals.length - 1;
    const line = text.indexOf('\n', at);
    const lineEnd = line < 0 ? text.length : line;
    const stop = isLast ? endOf(text, at, lineEnd, literal) : text.slice(at, at + VALUE_MAX).indexOf(literal) + at;
    if (stop < at || (!isLast && stop > lineEnd && !literal.includes('\n'))) return undefined;
    values.push(text.slice(at, stop).trim());
    at = stop + literal.length;
  }
  return values.some((value) => value === '') ? undefined : values;
}

/** The last value ends at the end of the line, before the closing literal. Cut short of it, it is no call. */
const endOf = (text: string, at: number, lineEnd: number, literal: string): number =>
  text.slice(at, lineEnd).trimEnd().endsWith(literal)
    ? at + text.slice(at, lineEnd).trimEnd().length - literal.length
    : -1;

function fitted(tool: ParseTool, args: JsonObject, used: readonly Rule[]): RuleRepair | undefined {
  const fit = fitArguments(args, tool.parameters, true);
  if (!fit.ok) return undefined;
  return {
    name: tool.name,
    arguments: fit.arguments,
    confidence: used.reduce((least, rule) => Math.min(least, confidenceOf(rule)), 1),
    repairs: [...used.map(({ id }) => `learned rule ${id}`), ...fit.repairs],
    rules: used.map(({ id }) => id),
  };
}

export interface PeriodRepair {
  readonly rule: Rule;
  readonly set: JsonObject;
}

/** Values for a contradiction that no built-in rule can resolve. */
export function repairPeriod(rules: readonly Rule[], tool: ParseTool, finding: Finding): PeriodRepair | undefined {
  const { path, period } = finding;
  const rule = having(rules, 'period', tool.name).find(
    ({ lesson }) => lesson.parameter === path[0] && path.length === 1 && lesson.kind === period?.kind,
  );
  if (rule === undefined || period === undefined) return undefined;
  const set = Object.entries(rule.lesson.set).map(([name, form]): [string, Json] => [name, written(period, form)]);
  return { rule, set: Object.fromEntries(set) };
}
