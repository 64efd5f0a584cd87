/** Turns the machine's transcript into the passages of a prompt. */
import type { AgentContext, Note, Round } from '../machines/context.js';
import type { Passage, ShownResult } from '../src/context/transcript.js';
import type { PlannedCall } from '../src/domain/call.js';
import type { AssistantMessage } from '../src/domain/chat.js';
import type { Recall } from '../src/host/role.js';
import { decisionIn, messageIn, toolsIn } from './record.js';
import { resultText } from './result.js';
import { untrustedRemark } from './thoughts.js';

export function passagesOf(context: AgentContext, recall: Recall, memo: Map<string, unknown>): Passage[] {
  const known = (memo.get('passages') as WeakMap<Round | Note, Passage> | undefined) ?? new WeakMap();
  memo.set('passages', known);
  return context.transcript.map((entry) => {
    const before = known.get(entry);
    if (before !== undefined) return before;
    const passage = entry.kind === 'round' ? roundPassage(entry, recall) : notePassage(entry, recall);
    known.set(entry, passage);
    return passage;
  });
}

function roundPassage(round: Round, recall: Recall): Passage {
  const decision = decisionIn(recall, round.decision);
  const calls = decision?.kind === 'calls' ? decision.calls : [];
  const message: AssistantMessage =
    decision === undefined || decision.kind === 'failed'
      ? { role: 'assistant', content: '' }
      : (decision.message as unknown as AssistantMessage);
  const native = new Set(message.tool_calls?.map((call) => call.id));
  return {
    kind: 'round',
    n: round.n,
    message,
    results: [...calls.flatMap((call) => shown(call, round, recall, native)), ...unanswered(message, calls)],
    line: lineOf(round, calls),
    remark:
      decision?.kind === 'calls' && decision.untrusted !== undefined ? untrustedRemark(decision.untrusted) : undefined,
  };
}

function shown(call: PlannedCall, round: Round, recall: Recall, native: ReadonlySet<string>): ShownResult[] {
  const result = round.results.find((item) => item.callId === call.callId);
  const { modelCallId, callId, name } = call;
  const isNative = modelCallId !== undefined && native.has(modelCallId);
  if (result === undefined)
    return [{ modelCallId: isNative ? modelCallId : undefined, callId, name, text: underWay, critical: false }];
  const critical =
    toolsIn(recall, result.ref)?.observations?.some((item) => item.callId === callId && item.critical) ?? false;
  return [
    { modelCallId: isNative ? modelCallId : undefined, callId, name, text: resultText(call, result, recall), critical },
  ];
}

/** Only a subtask can still be at work when the model is asked again. */
const underWay = JSON.stringify({
  status: 'running',
  hint: 'its report will stand here; answer in words to wait for it, or go on with other things',
});

/** A native call that was not carried out (a repeat in the same reply, or withdrawn) must be answered all the same. */
function unanswered(message: AssistantMessage, calls: readonly PlannedCall[]): ShownResult[] {
  const answered = new Set(calls.map((call) => call.modelCallId));
  return (message.tool_calls ?? [])
    .filter((call) => !answered.has(call.id))
    .map((call) => ({
      modelCallId: call.id,
      callId: call.id,
      name: call.function.name,
      text: JSON.stringify({
        status: 'error',
        error: { kind: 'not_run', message: 'not carried out: a repeat, or taken back' },
      }),
      critical: false,
    }));
}

function lineOf(round: Round, calls: readonly PlannedCall[]): string {
  const parts = round.results.map((result) => {
    const call = calls.find((item) => item.callId === result.callId);
    const args = call === undefined ? '' : JSON.stringify(call.arguments);
    return `${result.name}(${args.length > 120 ? `${args.slice(0, 120)}…` : args}) ${result.status}`;
  });
  return `[round ${round.n}] ${parts.join('; ')}`;
}

function notePassage(note: Note, recall: Recall): Passage {
  switch (note.about) {
    case 'correction': {
      const message = messageIn(recall, note.ref);
      const words = message?.type === 'human.corrected' ? message.text : '';
      return { kind: 'note', text: `Correction by the user: ${words}`, keep: true };
    }
    case 'unreadable': {
      const decision = decisionIn(recall, note.ref);
      const problem = decision?.kind === 'unreadable' ? decision.problem : 'it could not be read';
      return { kind: 'note', text: `Your last reply was not used: ${problem}. Reply again.`, keep: false };
    }
    case 'reflection':
    case 'plan':
      return {
        kind: 'note',
        text: String((recall(note.ref) as { text?: string } | undefined)?.text ?? ''),
        keep: false,
      };
  }
}
