/** The progress note of an agent that did not finish: what was done, where it stands, what is missing. English or Chinese, as the goal. */
import type { AgentContext, Round } from '../machines/context.js';
import type { Decision } from '../src/domain/decision.js';
import { isChinese } from '../src/domain/language.js';
import type { Subtask } from '../src/domain/plan.js';
import type { Recall } from '../src/host/role.js';
import { decisionIn, messageIn, orderIn } from './record.js';

const saidChars = 6_000;

interface Wording {
  readonly goal: string;
  readonly done: string;
  readonly failed: string;
  readonly nothing: string;
  readonly said: string;
  readonly why: string;
  readonly subtasks: string;
  readonly unverified: string;
  readonly separator: string;
}

const english: Wording = {
  goal: 'Not finished',
  done: 'Done',
  failed: 'Failed',
  nothing: 'no tool has run',
  said: 'Found so far',
  why: 'Stopped because',
  subtasks: 'Subtasks',
  unverified: 'unverified',
  separator: ', ',
};
const chinese: Wording = {
  goal: '未完成',
  done: '已做',
  failed: '失败',
  nothing: '没有运行任何工具',
  said: '目前得到',
  why: '停止原因',
  subtasks: '子任务',
  unverified: '未经证实',
  separator: '、',
};

export function progressNote(
  context: AgentContext,
  recall: Recall,
  last: Decision | undefined,
): { readonly said: string; readonly note: string } {
  const { goal } = orderIn(recall);
  const words = isChinese(goal) ? chinese : english;
  const rounds = context.transcript.filter((entry): entry is Round => entry.kind === 'round');
  const said = saidIn(rounds, recall, last);
  const lines = [`${words.goal}: ${goal.slice(0, 200)}`];
  const failure = context.ending?.failure;
  if (failure !== undefined) lines.push(`${words.why}: ${failure.message}`);
  lines.push(...workLines(rounds, words));
  if (context.plan.length > 0)
    lines.push(
      `${words.subtasks}: ${context.plan.map((one) => `${one.name} (${stateOf(one, context, recall, words)})`).join(words.separator)}`,
    );
  if (said !== '') lines.push(`${words.said}: ${said}`);
  return { said, note: lines.join('\n') };
}

/** `done` is what the subtask says; what its journal does not support is told with it. */
function stateOf(
  { agentId, state }: Subtask,
  { reports }: AgentContext,
  recall: Recall,
  { unverified }: Wording,
): string {
  const ref = reports[agentId];
  const message = ref === undefined ? undefined : messageIn(recall, ref);
  return message?.type === 'child.reported' && message.report.unverified !== undefined
    ? `${state}, ${unverified}`
    : state;
}

function workLines(rounds: readonly Round[], words: Wording): string[] {
  const tally = new Map<string, number>();
  for (const { name, status } of rounds.flatMap((round) => round.results)) {
    const key = `${status === 'ok' ? words.done : words.failed}\n${name}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  }
  if (tally.size === 0) return [`${words.done}: ${words.nothing}`];
  return [words.done, words.failed].flatMap((kind) => {
    const items = [...tally]
      .filter(([key]) => key.startsWith(`${kind}\n`))
      .map(([key, times]) => `${key.slice(kind.length + 1)} × ${times}`);
    return items.length === 0 ? [] : [`${kind}: ${items.join(words.separator)}`];
  });
}

/** The agent's own words, oldest first, the last ones kept when it was talkative. */
function saidIn(rounds: readonly Round[], recall: Recall, last: Decision | undefined): string {
  const decisions = [...rounds.map((round) => decisionIn(recall, round.decision)), last];
  const texts = decisions.flatMap((decision) =>
    decision === undefined || decision.kind === 'failed' || decision.text.trim() === '' ? [] : [decision.text.trim()],
  );
  return [...new Set(texts)].join('\n').slice(-saidChars);
}
