/** The model of the chaos: it does what the goal says, round by round, now and then in disorder. */
import { randomFrom } from '../support/random.js';
import type { Asked, Call, Reply } from '../support/rule-model.js';
import type { Job, Work } from './schedule.js';

const mark = 'CHAOS ';
export const goalOf = (work: Work): string => `${mark}${JSON.stringify(work)}`;

/** Undefined when the goal is none of ours. */
function workIn(text: string): Work | undefined {
  const at = text.indexOf(mark);
  const line = text.slice(at + mark.length).split('\n', 1)[0] ?? '';
  return at === -1 ? undefined : (JSON.parse(line) as Work);
}

const callOf = (job: Job): Call =>
  'child' in job ? ['delegate_task', { goal: goalOf(job.child) }] : [job.tool, { key: job.key }];

export interface Brain {
  rule(asked: Asked): Reply;
  /** Whole replies given, by agent. */
  readonly replies: Map<string, number>;
}

/** @param disorder share of requests that are refused, and of replies that are cut */
export function brainOf(seed: number, disorder: number): Brain {
  const random = randomFrom(seed);
  const replies = new Map<string, number>();
  return {
    replies,
    rule({ agentId, round, text }) {
      const chance = random();
      if (chance < disorder) return { refuse: chance < disorder / 2 ? 429 : 500 };
      const calls = workIn(text)?.rounds[round]?.map(callOf);
      const reply: Reply = { calls: calls ?? [['finish', { result: 'done', summary: 'done' }]] };
      if (chance > 1 - disorder) return { ...reply, cut: true };
      replies.set(agentId, (replies.get(agentId) ?? 0) + 1);
      return reply;
    },
  };
}
