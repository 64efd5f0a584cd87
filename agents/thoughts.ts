/** What the reasoning of a reply is worth: claims of results that no tool gave, and gaps that the small model may bridge. */
import type { Round } from '../machines/context.js';
import { remaining } from '../src/domain/budget.js';
import type { ChatMessage } from '../src/domain/chat.js';
import type { Bridge, CallUsage, Untrusted } from '../src/domain/decision.js';
import type { EffectScope } from '../src/host/role.js';
import type { Model } from '../src/llm/model.js';
import { bridgeGaps } from '../src/parse/reasoning/continuity.js';
import { checkEvidence, type KnownResult } from '../src/parse/reasoning/evidence.js';
import type { ReasoningTree } from '../src/parse/reasoning/tree.js';
import { contextIn, decisionIn } from './record.js';
import { resultText } from './result.js';
import { askSmall, type Spare, spareAfter, usageOf } from './small-model.js';

/** So much of a result is held against a claim, and so much of a thought is told. */
const resultChars = 4_000;
const thoughtChars = 300;
const mostUntrusted = 5;

/** Claims without a result, in the order in which they were thought. */
export function untrustedThoughts(tree: ReasoningTree, scope: EffectScope, tools: readonly string[]): Untrusted[] {
  if (tree.nodes.length === 0) return [];
  const claims = checkEvidence(tree, knownResults(scope), tools).filter(({ trusted }) => !trusted);
  return claims.slice(0, mostUntrusted).map(({ node, reason = '' }) => {
    const content = tree.nodes.find(({ id }) => id === node)?.content ?? '';
    return { thought: content.length > thoughtChars ? `${content.slice(0, thoughtChars)}…` : content, reason };
  });
}

function knownResults(scope: EffectScope): KnownResult[] {
  const { transcript } = contextIn(scope);
  const rounds = transcript.filter((entry): entry is Round => entry.kind === 'round');
  return rounds.flatMap(({ decision: ref, n, results }) => {
    const decision = decisionIn(scope.recall, ref);
    const calls = decision?.kind === 'calls' ? decision.calls : [];
    return results.flatMap((result): KnownResult[] => {
      const call = calls.find(({ callId }) => callId === result.callId);
      if (call === undefined || call.action.route === 'refused') return [];
      return [{ round: n, tool: call.name, text: resultText(call, result, scope.recall).slice(0, resultChars) }];
    });
  });
}

/** For the model, which sees it after the results of that round. */
export const untrustedRemark = (untrusted: readonly Untrusted[]): string =>
  [
    'Your reasoning claimed results that no tool has given. Check them with a tool before you rely on them:',
    ...untrusted.map(({ reason, thought }) => `- ${JSON.stringify(thought)}: ${reason}`),
  ].join('\n');

export interface BridgeSource {
  readonly smallModel?: Model;
  /** In one reply. 0: none. */
  readonly mostBridges: number;
}

/** Below this share of its tokens an agent has better uses for them. */
const tightShare = 0.3;

/** @param usage of the decision so far @param spare undefined: nothing may be asked */
export async function bridgeThoughts(
  tree: ReasoningTree,
  usage: CallUsage,
  spare: Spare | undefined,
  scope: EffectScope,
  { mostBridges, smallModel }: BridgeSource,
): Promise<{ bridges: Bridge[]; usage: CallUsage }> {
  if (mostBridges === 0 || smallModel === undefined || spare === undefined || isTight(scope))
    return { bridges: [], usage };
  let left: Spare | undefined = spare;
  let paid = usage;
  const filled = await bridgeGaps(tree, {
    most: mostBridges,
    affordable: () => left !== undefined,
    ask: async (before, after) => {
      const answer =
        left === undefined ? undefined : await askSmall(bridgePrompt(before, after), left, scope, smallModel);
      left = left === undefined || answer === undefined ? undefined : spareAfter(left, answer.usage);
      if (answer === undefined) return undefined;
      paid = usageOf(paid, answer.usage);
      return /^none\b/i.test(answer.text?.trim() ?? '') ? undefined : answer.text;
    },
  });
  const bridges = filled.nodes.flatMap(({ auto_filled, based_on: [from], content, led_to: [to] }) =>
    auto_filled && from !== undefined && to !== undefined
      ? [{ from, to, content: content.slice(0, thoughtChars) }]
      : [],
  );
  return { bridges, usage: paid };
}

function isTight(scope: EffectScope): boolean {
  const { ledger } = contextIn(scope);
  return remaining(ledger).tokens < ledger.granted.tokens * tightShare;
}

const bridgePrompt = (before: string, after: string): ChatMessage[] => [
  {
    role: 'system',
    content:
      'Two neighbouring thoughts of a model follow. Answer with the one short thought that leads from the first to the second, in their language, and nothing else. Add no fact that is in neither. Answer "none" when nothing leads there.',
  },
  { role: 'user', content: `First: ${before}\nSecond: ${after}` },
];
