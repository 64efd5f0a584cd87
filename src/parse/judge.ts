/** From calls as they stand in the text to calls that may run: name, arguments, completeness, context. */
import type { Json, JsonObject } from '../domain/json.js';
import { fitArguments } from './fit.js';
import { RAW_QUOTES } from './json-quote.js';
import { type NameIndex, type ParseTool, resolveName } from './name.js';
import type { Candidate } from './piece.js';
import { isObject, properties, typesOf } from './schema.js';
import { isLooseTemplate, isTemplate } from './wording/placeholder.js';

export interface ReadyCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly confidence: number;
  readonly repairs: readonly string[];
  readonly id?: string;
  readonly start: number;
  readonly end: number;
  /** Ids of equal calls that were left out. */
  readonly repeats?: readonly string[];
  /** Its tool changes nothing. */
  readonly harmless: boolean;
}

export type FailureKind = 'unknown_tool' | 'invalid_arguments' | 'ambiguous' | 'not_a_call';

export type Verdict =
  | { readonly kind: 'ready'; readonly call: ReadyCall }
  | { readonly kind: 'incomplete'; readonly name?: string; readonly reason: string }
  | {
      readonly kind: 'rejected';
      readonly name: string;
      readonly reason: string;
      readonly failure: FailureKind;
      readonly arguments?: JsonObject;
      readonly given?: JsonObject;
      readonly id?: string;
      readonly nearest?: readonly string[];
    }
  /** No call after all: its text belongs to the reply. */
  | { readonly kind: 'text' };

export interface JudgeContext {
  readonly index: NameIndex;
  readonly finish: Finish;
}

/** `whole`: the model stopped by itself. `cut`: it was stopped. `unknown`: nobody said. */
export type Finish = 'whole' | 'cut' | 'unknown';

export function finishOf(reason: string | undefined | null): Finish {
  if (typeof reason !== 'string' || reason === '') return 'unknown';
  return /^(?:length|max_?tokens|max_output_tokens|model_length|model_context_window_exceeded|context_length|token_limit|incomplete|error|cancel|abort|content_filter|safety|recitation|timeout|network)/i.test(
    reason,
  )
    ? 'cut'
    : 'whole';
}

const WITHHELD_REASONS: Readonly<Record<string, string>> = {
  reasoning: 'stands in reasoning',
  comment: 'stands in a comment',
  quoted: 'is quoted',
  example: 'is an example',
  retold: 'tells of an earlier call',
  'tool output': 'stands in tool output',
  description: 'describes a tool instead of calling it',
  'after answer': 'stands behind the final answer',
  'after output': 'builds on a tool result that the model made up',
  'not read': 'stands in a reply that was not read to its end',
};

/**
 * @param said what the words around it say against it
 * @param last no other call follows it
 */
export function judge(candidate: Candidate, context: JudgeContext, said?: string, last = true): Verdict {
  const { index, finish } = context;
  const match = resolveName(candidate.name, index);
  const id = candidate.id === undefined ? {} : { id: candidate.id };
  if (candidate.withheld !== undefined) {
    if (match.kind === 'unknown' && !candidate.strong) return { kind: 'text' };
    const name = match.kind === 'unknown' ? candidate.name : match.tool.name;
    return {
      kind: 'rejected',
      name,
      reason: WITHHELD_REASONS[candidate.withheld] as string,
      failure: 'not_a_call',
      ...id,
    };
  }
  const name = match.kind === 'unknown' ? candidate.name : match.tool.name;
  if (isCut(candidate, finish, last))
    return {
      kind: 'incomplete',
      name,
      reason: candidate.cut === 'value' ? 'cut off inside a value' : 'cut off before its end',
    };
  if (match.kind === 'unknown') {
    if (!candidate.strong) return { kind: 'text' };
    return {
      kind: 'rejected',
      name,
      reason: unknownTool(name, match.nearest),
      failure: 'unknown_tool',
      nearest: match.nearest,
      ...id,
      ...objectArguments(candidate),
    };
  }
  if (said !== undefined) return { kind: 'rejected', name, reason: said, failure: 'not_a_call', ...id };
  return fitted(candidate, match.tool, match.kind, match.repair, context);
}

function objectArguments(candidate: Candidate): { arguments?: JsonObject } {
  const args = candidate.arguments;
  return args !== null && typeof args === 'object' && !Array.isArray(args) ? { arguments: args as JsonObject } : {};
}

function unknownTool(name: string, nearest: readonly string[]): string {
  return `there is no tool "${name}"${nearest.length > 0 ? `; available are ${nearest.join(', ')}` : ''}`;
}

/** Nothing cut inside a value ever runs; missing closers are forgiven when the model stopped by itself. */
function isCut(candidate: Candidate, finish: Finish, last: boolean): boolean {
  if (candidate.cut === 'value') return true;
  if (finish === 'cut' && last && candidate.cut === 'closers') return true;
  if (!candidate.atEnd) return false;
  if (finish === 'cut') return candidate.cut === 'closers' || candidate.format === 'ReAct';
  return candidate.cut === 'closers' && finish === 'unknown';
}

/** Parameters by which a call is meant to change nothing yet. Left out, it would. */
const SAFEGUARD =
  /^(?:dry[_-]?run|simulate[sd]?|simulation(?:[_-]?(?:mode|only|run))?|preview\w*|what[_-]?if|no[_-]?op|check[_-]?only|test[_-]?only|confirm\w*)$/i;

/** A safeguard that was given and that the tool does not know. */
function safeguardIn(given: unknown, fitted: JsonObject): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  return Object.keys(given).find((key) => SAFEGUARD.test(key) && !Object.hasOwn(fitted, key));
}

const DROPPED = 'unknown parameter dropped';

/** The parameter is a list, so that giving it twice gives two items. */
function takesList(tool: ParseTool, key: string): boolean {
  const shape = properties(isObject(tool.parameters) ? tool.parameters : {})[key];
  return isObject(shape) && typesOf(shape).includes('array');
}

/** It changes nothing. A tool that does not say so counts as one that does. */
export const isHarmless = (tool: ParseTool): boolean => tool.effect === 'pure' || tool.effect === 'read';

function templateIn(args: JsonObject, loose: boolean): string | undefined {
  const short = (value: unknown): value is string => typeof value === 'string' && value.length < 80;
  const stands = (value: string): boolean => isTemplate(value) || (loose && isLooseTemplate(value));
  return Object.values(args)
    .flat()
    .find((value): value is string => short(value) && stands(value.trim()));
}

/** A text in it opens an object and does not close it: the members behind it may be those of that object. */
function opensObject(value: Json): boolean {
  if (typeof value !== 'string')
    return (
      value !== null && typeof value === 'object' && Object.values(value).some((inner) => opensObject(inner as Json))
    );
  return /[{[]\s*["']/.test(value) && (value.match(/[{[]/g) ?? []).length > (value.match(/[}\]]/g) ?? []).length;
}

/** A layout of tags, in which text and other values look alike. */
const isUntyped = ({ format }: Candidate): boolean => UNTYPED.has(format);

const UNTYPED = new Set(['XML parameters', 'key and value tags', 'tag named after the tool', 'argument lines', 'YAML']);

function fitted(
  candidate: Candidate,
  tool: ParseTool,
  kind: 'exact' | 'variant' | 'similar',
  repair: string | undefined,
  context: JudgeContext,
): Verdict {
  const id = candidate.id === undefined ? {} : { id: candidate.id };
  const harmless = isHarmless(tool);
  const changes = !harmless && tool.effect !== undefined;
  if (candidate.unsure === true) {
    const reason = 'shows calls or tags of its own kind: where the text of an argument ends cannot be told';
    return { kind: 'rejected', name: tool.name, reason, failure: 'ambiguous', ...id };
  }
  const twice = candidate.duplicateKeys.find((key) => !takesList(tool, key));
  if (twice !== undefined && !harmless) {
    return {
      kind: 'rejected',
      name: tool.name,
      reason: `"${twice}" is given twice`,
      failure: 'ambiguous',
      ...id,
    };
  }
  const whole = context.finish === 'whole' || !candidate.atEnd;
  const fit = fitArguments(candidate.arguments, tool.parameters, whole, changes, isUntyped(candidate));
  if (!fit.ok) {
    if (fit.cut) return { kind: 'incomplete', name: tool.name, reason: fit.problem };
    if (!candidate.strong) return { kind: 'text' };
    return {
      kind: 'rejected',
      name: tool.name,
      reason: fit.problem,
      failure: 'invalid_arguments',
      ...id,
      ...(fit.arguments ? { arguments: fit.arguments } : {}),
      ...(fit.given ? { given: fit.given } : {}),
    };
  }
  const rawQuotes = candidate.repairs.includes(RAW_QUOTES);
  const dropped = !harmless && rawQuotes && fit.repairs.some((entry) => entry.endsWith(DROPPED));
  const quotes = rawQuotes || fit.repairs.includes(RAW_QUOTES);
  if (dropped || (quotes && (twice !== undefined || opensObject(fit.arguments)))) {
    const reason = 'quotes that are not escaped: where a text ends cannot be told';
    return { kind: 'rejected', name: tool.name, reason, failure: 'ambiguous', ...id };
  }
  const safeguard = harmless ? undefined : safeguardIn(candidate.arguments, fit.arguments);
  if (safeguard !== undefined) {
    const reason = `"${safeguard}" is no parameter of ${tool.name}: the call would be made for real`;
    return { kind: 'rejected', name: tool.name, reason, failure: 'invalid_arguments', ...id };
  }
  const template = harmless ? undefined : templateIn(fit.arguments, changes);
  if (template !== undefined) {
    const reason = `"${template}" stands for a value that nobody filled in`;
    return { kind: 'rejected', name: tool.name, reason, failure: 'not_a_call', ...id };
  }
  const repairs = [...candidate.repairs, ...(repair === undefined ? [] : [repair]), ...fit.repairs];
  const base = candidate.marked ? 1 : candidate.strong ? 0.95 : 0.85;
  const confidence = Math.max(0.3, base * 0.97 ** repairs.length * (kind === 'similar' ? 0.7 : 1));
  return {
    kind: 'ready',
    call: {
      name: tool.name,
      arguments: fit.arguments,
      confidence: Math.round(confidence * 1000) / 1000,
      repairs,
      start: candidate.start,
      end: candidate.end,
      harmless,
      ...id,
    },
  };
}
