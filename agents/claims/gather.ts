/** Gathers from an agent's journal what its report may stand on. */
import type { AgentContext, CallResult, Round } from '../../machines/context.js';
import type { PlannedCall } from '../../src/domain/call.js';
import type { Report } from '../../src/domain/report.js';
import type { Recall } from '../../src/host/role.js';
import { splitEarlier } from '../earlier.js';
import { decisionIn, messageIn, orderIn, toolsIn } from '../record.js';
import type { Grounds, RanCall, Reported } from './grounds.js';

/** @param tools names of those that the agent may call */
export function gatherGrounds(context: AgentContext, recall: Recall, tools: readonly string[]): Grounds {
  const order = orderIn(recall);
  const rounds = context.transcript.filter((entry): entry is Round => entry.kind === 'round');
  const results = rounds.flatMap((round) => round.results);
  const calls = new Map<string, PlannedCall>();
  for (const { decision: ref } of rounds) {
    const decision = decisionIn(recall, ref);
    if (decision?.kind === 'calls') for (const call of decision.calls) calls.set(call.callId, call);
  }
  const { context: given, earlier } = splitEarlier(order.context ?? '');
  return {
    goal: order.goal,
    context: given,
    files: order.files,
    told: [...corrections(context, recall), ...results.flatMap((result) => answerIn(result, recall))],
    calls: results.flatMap((result) => ranCall(result, calls.get(result.callId), recall)),
    children: [...earlier, ...childrenOf(context, results, recall)],
    tools,
  };
}

function ranCall(result: CallResult, call: PlannedCall | undefined, recall: Recall): RanCall[] {
  if (call?.action.route !== 'tool') return [];
  const { callId, name, ref, status } = result;
  const observation = toolsIn(recall, ref)?.observations?.find((item) => item.callId === callId);
  const { data = null, error } = observation ?? {};
  return [
    {
      callId,
      tool: name,
      effect: call.effect,
      args: call.arguments,
      status,
      data,
      ...(error === undefined ? {} : { error: [error.message, error.hint].filter(Boolean).join('; ') }),
    },
  ];
}

const corrections = ({ transcript }: AgentContext, recall: Recall): string[] =>
  transcript.flatMap((entry) => {
    const message = entry.kind === 'note' && entry.about === 'correction' ? messageIn(recall, entry.ref) : undefined;
    return message?.type === 'human.corrected' ? [message.text ?? ''] : [];
  });

function answerIn({ ref }: CallResult, recall: Recall): string[] {
  const message = messageIn(recall, ref);
  return message?.type === 'human.answered' ? [message.text] : [];
}

const childrenOf = ({ reports }: AgentContext, results: readonly CallResult[], recall: Recall): Reported[] =>
  Object.values(reports).flatMap((ref) => {
    const message = messageIn(recall, ref);
    if (message?.type !== 'child.reported') return [];
    const { agentId, artifacts, result, status, summary, unverified = [] } = message.report;
    return [
      {
        agentId,
        callId: results.find((one) => one.ref === ref)?.callId ?? agentId,
        status,
        result,
        summary,
        unverified,
        tools: toolsBelow(message.report),
        files: artifacts.flatMap((artifact) =>
          artifact.ref.startsWith('file:') ? [artifact.ref.slice('file:'.length)] : [],
        ),
      },
    ];
  });

const toolsBelow = ({ children, evidence }: Report): string[] => [
  ...new Set([
    ...evidence.flatMap(({ status, tool }) => (status === 'ok' ? [tool] : [])),
    ...children.flatMap(toolsBelow),
  ]),
];
