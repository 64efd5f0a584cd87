/**
 * The rungs above plain reading: what learned rules and the goal say about a reply. No model, no clock; a few hundred
 * microseconds when there is something to mend, next to nothing otherwise. What only a model could answer is left as a question.
 */
import type { JsonObject } from '../../domain/json.js';
import { fitArguments } from '../fit.js';
import { type Finding, findingText } from '../meaning/finding.js';
import {
  applyFindings,
  contradictions,
  type Goal,
  isHarmless,
  repairText as meaningText,
  sureFrom,
} from '../meaning/meaning.js';
import type { ParseTool } from '../name.js';
import type { ParsedCall, RejectedCall, Reply } from '../reply.js';
import { repairArguments, repairPeriod, repairText } from './apply.js';
import { confidenceOf } from './life.js';
import type { Rule } from './rule.js';
import { isUnparsed } from './unparsed.js';

export interface MendedCall extends ParsedCall {
  /** Ids of the learned rules that took part. */
  readonly rules: readonly string[];
  /** What contradicts the goal and was left as it is. */
  readonly warnings: readonly string[];
  /** One of the warnings is about something as sure as what is applied elsewhere. */
  readonly contradicts: boolean;
  /** Its arguments were guessed: a tool that changes something needs a human's leave. */
  readonly guess: boolean;
}

/** What a small model may be asked, one at a time. */
export type Question =
  | { readonly about: 'text'; readonly said: string }
  | {
      readonly about: 'arguments';
      readonly tool: ParseTool;
      readonly given: JsonObject;
      readonly problem: string;
      readonly rejected: RejectedCall;
    }
  | {
      readonly about: 'meaning';
      readonly tool: ParseTool;
      readonly given: JsonObject;
      readonly finding: Finding;
      readonly call: number;
    };

export interface Mended {
  readonly calls: readonly MendedCall[];
  readonly rejected: readonly RejectedCall[];
  readonly question: Question | undefined;
  /** The reply was to be a call, and no rung could read it. */
  readonly unparsed: boolean;
}

export interface MendInput {
  readonly reply: Reply;
  /** `saidIn` the reply. Called only when the reply holds no call. */
  readonly said: () => string;
  /** The model stopped by itself: nothing at the end is cut. */
  readonly whole: boolean;
  readonly tools: readonly ParseTool[];
  readonly rules: readonly Rule[];
  readonly goal?: Goal;
}

export function mend(input: MendInput): Mended {
  const { reply, rules, tools } = input;
  const toolOf = (name: string): ParseTool | undefined => tools.find((tool) => tool.name === name);
  const rejected: RejectedCall[] = [];
  const calls: MendedCall[] = reply.calls.map((call) => ({
    ...call,
    rules: [],
    warnings: [],
    contradicts: false,
    guess: false,
  }));
  let question: Question | undefined;
  for (const call of reply.rejected) {
    const tool = call.failure === 'invalid_arguments' ? toolOf(call.name) : undefined;
    const given = call.given;
    const repair = tool === undefined || given === undefined ? undefined : repairArguments(rules, tool, given);
    const id = call.id === undefined ? {} : { id: call.id };
    if (repair !== undefined) calls.push({ ...repair, warnings: [], contradicts: false, guess: true, ...id });
    else rejected.push(call);
    if (repair === undefined && tool !== undefined && given !== undefined && Object.keys(given).length > 0)
      question ??= { about: 'arguments', tool, given, problem: call.reason, rejected: call };
  }
  const said = calls.length === 0 && input.whole && reply.incomplete.length < 2 ? input.said() : '';
  const unparsed = said !== '' && isUnparsed(reply, said, tools);
  if (unparsed) {
    const read = repairText(rules, tools, said);
    calls.push(...read.map((repair) => ({ ...repair, warnings: [], contradicts: false, guess: true })));
    if (read.length === 0) question ??= { about: 'text', said };
  }
  const meant = calls.map((call, index) => {
    const tool = toolOf(call.name);
    const outcome =
      tool === undefined || input.goal === undefined ? undefined : withMeaning(call, tool, input.goal, rules);
    if (outcome?.open !== undefined && tool !== undefined)
      question ??= { about: 'meaning', tool, given: outcome.call.arguments, finding: outcome.open, call: index };
    return outcome?.call ?? call;
  });
  return { calls: meant, rejected, question, unparsed: unparsed && calls.length === 0 };
}

const LESS = 0.95;

function withMeaning(
  call: MendedCall,
  tool: ParseTool,
  goal: Goal,
  rules: readonly Rule[],
): { call: MendedCall; open: Finding | undefined } {
  const found = contradictions(call.arguments, tool, goal);
  if (found.length === 0) return { call, open: undefined };
  const { applied, arguments: args, left } = applyFindings(call.arguments, tool, found);
  const learned = isHarmless(tool)
    ? left.flatMap((finding) => repairPeriod(rules, tool, finding) ?? []).at(0)
    : undefined;
  const set = learned === undefined ? args : { ...args, ...learned.set };
  const fit = fitArguments(set, tool.parameters, true);
  const fits = fit.ok && (applied.length > 0 || learned !== undefined);
  const changed = fits
    ? [...applied.map(meaningText), ...(learned === undefined ? [] : [`learned rule ${learned.rule.id}`])]
    : [];
  const still = left.filter((finding) => !(fits && learned !== undefined && finding.to === undefined));
  const sure = Math.min(
    ...applied.map(({ confidence }) => confidence),
    learned === undefined ? 1 : confidenceOf(learned.rule),
  );
  return {
    call: {
      ...call,
      arguments: fits ? set : call.arguments,
      confidence: fits ? Math.round(Math.min(call.confidence * LESS, sure) * 1_000) / 1_000 : call.confidence,
      repairs: [...call.repairs, ...changed],
      rules: [...call.rules, ...(fits && learned !== undefined ? [learned.rule.id] : [])],
      warnings: [...call.warnings, ...(fits ? still : found).map(findingText)],
      contradicts: (fits ? still : found).some(({ confidence }) => confidence >= sureFrom),
    },
    open: isHarmless(tool) ? still.find(({ to }) => to === undefined) : undefined,
  };
}
