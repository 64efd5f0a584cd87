/**
 * The door of the output pipeline: a model's reply in, what it means out. Total and pure: bad input gives a typed
 * outcome, never an exception. Nothing is run here, and nothing doubtful is passed on as a call.
 */
import type { AssistantMessage } from '../domain/chat.js';
import type { JsonObject } from '../domain/json.js';
import { visibleText } from './clean.js';
import { introduce, isAnnounced } from './introduce.js';
import { finishOf, type JudgeContext, judge, type ReadyCall, type Verdict } from './judge.js';
import { MARKERS, type MarkerTable } from './markers.js';
import { indexNames, type ParseTool } from './name.js';
import { type NativeMessage, readNative } from './native.js';
import { Outcome, type ParsedCall, type RejectedCall, type Reply } from './outcome.js';
import { unfolded } from './parallel.js';
import type { Candidate, Piece } from './piece.js';
import { thoughtsToReasoning } from './react.js';
import { compileThoughtCues } from './reasoning/classify.js';
import type { ThoughtCues } from './reasoning/cues.js';
import { noReasoning, type ReasoningSource, reasoningTree } from './reasoning/tree.js';
import { revise } from './revise.js';
import { rewrite } from './rewrite.js';
import { scan } from './scan.js';
import type { Scan } from './scan-state.js';
import { withholdShown } from './shown.js';
import { stateOf } from './state.js';
import { lookupOf } from './token.js';
import { CUE_MATCHERS } from './wording/cue.js';

export type { ParseTool } from './name.js';
export type { ParsedCall, RejectedCall, Reply } from './outcome.js';

export interface ReplyInput {
  /** A completion's text, or the content of a chat message. */
  readonly text?: string;
  /** An API's message: content, tool calls, reasoning in any of its fields. */
  readonly message?: AssistantMessage | JsonObject;
  /** `chat` (default), `anthropic`, …: a hint only; the layout is recognised. */
  readonly api?: string;
  readonly finishReason?: string;
  /** A tool without `effect` counts as unsafe. */
  readonly tools: readonly ParseTool[];
  /** The prompt ended with an opened reasoning tag, so the text begins inside reasoning. */
  readonly promptOpenedReasoning?: boolean;
  /** Marker table to use instead of the built-in one; see `extendMarkers`. */
  readonly markers?: MarkerTable;
  /** Cues for the reasoning tree instead of the built-in ones; see `correctThought`. */
  readonly thoughtCues?: ThoughtCues;
}

const MAX_TEXT = 64 * 1024 * 1024;

export function parseReply(input: ReplyInput): Reply {
  if (input === null || typeof input !== 'object') return parseReply({ text: '', tools: [] });
  const table = input.markers ?? MARKERS;
  const index = indexNames(Array.isArray(input.tools) ? input.tools : []);
  const native = input.message === undefined || input.message === null ? undefined : readNative(input.message);
  const given = [typeof input.text === 'string' ? input.text : '', native?.text ?? '']
    .filter((part) => part !== '')
    .join('\n');
  const { text, repairs, original } = rewrite(given.length > MAX_TEXT ? given.slice(0, MAX_TEXT) : given, table);
  const walked = scan(text, {
    table,
    index,
    lookup: lookupOf(table),
    original,
    reasoningOpen: input.promptOpenedReasoning === true,
  });
  const context: JudgeContext = {
    index,
    finish: finishOf(input.finishReason),
  };
  const reply = assemble(text, walked, context, native, repairs, input.thoughtCues);
  if (given.length > MAX_TEXT)
    reply.incomplete.push({ reason: `the reply is longer than ${MAX_TEXT} characters; the rest was not read` });
  return reply;
}

function assemble(
  text: string,
  walked: Scan,
  context: JudgeContext,
  native: NativeMessage | undefined,
  repairs: readonly string[],
  thoughtCues: ThoughtCues | undefined,
): Reply {
  const candidates = [...walked.candidates].sort((a, b) => a.start - b.start);
  withholdShown(text, walked.pieces, candidates);
  const said = introduce(text, walked.pieces, candidates, context.index, CUE_MATCHERS);
  const judged = candidates.map((candidate, i) => ({
    candidate,
    verdict: onlyTold(candidate, said[i], text, walked.pieces)
      ? ({ kind: 'text' } as const)
      : judge(candidate, context, said[i], i === candidates.length - 1),
  }));
  const pieces = settle(walked.pieces, judged);
  const finish = context.finish;
  const ready = judged.flatMap(({ verdict }) => (verdict.kind === 'ready' ? [verdict.call] : []));
  // A native call is meant, whatever the text beside it says.
  const nativeVerdicts = (native?.calls ?? [])
    .flatMap((call) => (call.cut === true ? [call] : unfolded(call, context.index)))
    .map((call) => judge(nativeCandidate(call, text.length), context));
  for (const verdict of nativeVerdicts) if (verdict.kind === 'ready') ready.push(verdict.call);
  const between = (from: number, to: number): string => visibleText(text, pieces, from, to);
  const revision = revise(ready, between, text.length, CUE_MATCHERS);
  const verdicts: Verdict[] = [...judged.map(({ verdict }) => verdict), ...nativeVerdicts];
  const calls = revision.calls.map(parsed);
  const incomplete = verdicts.flatMap((v) =>
    v.kind === 'incomplete' ? [{ ...(v.name === undefined ? {} : { name: v.name }), reason: v.reason }] : [],
  );
  for (const gap of walked.unreadable) {
    incomplete.push({
      ...(gap.name === undefined ? {} : { name: gap.name }),
      reason: gap.cut && finish !== 'whole' ? 'cut off before it could be read' : gap.reason,
    });
  }
  const sources = reasoningOf(text, pieces, native);
  const allRepairs = [...repairs, ...calls.flatMap((call) => call.repairs)];
  const read = {
    calls,
    incomplete,
    superseded: revision.superseded.map(({ call, reason }) => ({ name: call.name, arguments: call.arguments, reason })),
    rejected: toldOnce(verdicts.flatMap((v) => (v.kind === 'rejected' ? [rejection(v)] : []))),
    reasoning: sources.map((source) => source.text.trim()).join('\n\n'),
    content: visibleText(text, pieces),
    meta: {
      confidence: calls.reduce((least, call) => Math.min(least, call.confidence), 1),
      repairs: [...new Set(allRepairs)],
      segments: pieces.map(({ kind, start, end }) => ({ kind, start, end })),
      formats: [
        ...new Set([
          ...(native?.formats ?? []),
          ...judged.flatMap(({ candidate, verdict }) => (verdict.kind === 'text' ? [] : [candidate.format])),
        ]),
      ],
      repeated: revision.repeated,
      sealed: [...(native?.sealed ?? [])],
    },
  };
  return new Outcome(read, {
    reasoningTree: () => (sources.length === 0 ? noReasoning : reasoningTree(sources, compileThoughtCues(thoughtCues))),
    state: () => stateOf(text, pieces, walked.islands),
  });
}

/** Its sentence tells of it and does not announce it. */
const onlyTold = (candidate: Candidate, said: string | undefined, text: string, pieces: readonly Piece[]): boolean =>
  candidate.told === true && (said !== undefined || !isAnnounced(text, pieces, candidate, CUE_MATCHERS));

/** What was taken for a call and is none becomes text again; thoughts of a ReAct reply become reasoning. */
function settle(pieces: readonly Piece[], judged: readonly { candidate: Candidate; verdict: Verdict }[]): Piece[] {
  const shown = new Set<number>();
  const hidden = new Set<number>();
  for (const { candidate, verdict } of judged)
    (verdict.kind === 'text' || (verdict.kind === 'rejected' && shows(candidate)) ? shown : hidden).add(candidate.end);
  const settled = pieces.map(
    (piece): Piece =>
      piece.kind === 'call' && shown.has(piece.end) && !hidden.has(piece.end)
        ? { ...piece, kind: 'text' }
        : { ...piece },
  );
  return thoughtsToReasoning(settled, hidden.size > 0);
}

/** A quotation or example stays readable. */
const shows = (candidate: Candidate): boolean =>
  candidate.withheld === 'description' || candidate.withheld === 'example' || candidate.withheld === 'quoted';

function nativeCandidate(call: NativeMessage['calls'][number], at: number): Candidate {
  return {
    start: at,
    end: at,
    name: call.name,
    arguments: call.arguments,
    ...(call.id === undefined ? {} : { id: call.id }),
    format: 'native',
    marked: true,
    strong: true,
    cut: call.cut === true ? 'value' : 'none',
    atEnd: true,
    repairs: [],
    duplicateKeys: [],
  };
}

function reasoningOf(text: string, pieces: readonly Piece[], native: NativeMessage | undefined): ReasoningSource[] {
  const inText = pieces.flatMap(({ kind, inner }): ReasoningSource[] =>
    kind === 'reasoning' && inner !== undefined
      ? [{ source: 'text', text: text.slice(inner[0], inner[1]), offset: inner[0] }]
      : [],
  );
  const field: ReasoningSource = { source: 'field', text: native?.reasoning ?? '', offset: 0 };
  return [field, ...inText].filter((part) => part.text.trim() !== '');
}

const parsed = (call: ReadyCall): ParsedCall => ({
  name: call.name,
  arguments: call.arguments,
  confidence: call.confidence,
  repairs: [...call.repairs],
  ...(call.id === undefined ? {} : { id: call.id }),
  ...(call.repeats === undefined ? {} : { repeats: [...call.repeats] }),
});

/** The same call for the same reason is told of once; one with an id must be answered by its id. */
function toldOnce(rejected: readonly RejectedCall[]): RejectedCall[] {
  if (rejected.length < 2) return [...rejected];
  const seen = new Set<string>();
  return rejected.filter((call) => {
    if (call.id !== undefined) return true;
    const key = JSON.stringify(call);
    return !seen.has(key) && seen.add(key);
  });
}

function rejection(v: Extract<Verdict, { kind: 'rejected' }>): RejectedCall {
  return {
    name: v.name,
    reason: v.reason,
    failure: v.failure,
    ...(v.arguments === undefined ? {} : { arguments: v.arguments }),
    ...(v.given === undefined ? {} : { given: v.given }),
    ...(v.id === undefined ? {} : { id: v.id }),
    ...(v.nearest === undefined ? {} : { nearest: [...v.nearest] }),
  };
}
