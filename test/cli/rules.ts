/** What the test model does for each goal of the CLI tests. */
import type { Asked, Reply } from '../support/rule-model.js';

/** Resolves when `release` was called; lets a test hold an agent in the middle of its work. */
export interface Gate {
  readonly open: Promise<void>;
  release(): void;
}

export function gate(): Gate {
  let release = () => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { open, release: () => release() };
}

export const ruleWith =
  (held: Gate) =>
  async ({ text, round, agentId }: Asked): Promise<Reply> => {
    const isChild = agentId.includes('-');
    if (isChild && text.includes('count the users'))
      return { say: 'I counted 4,711 users and saved them to users.csv.' };
    if (isChild) return { say: `part ${agentId.split('-').at(-1)} is done` };
    if (text.includes('GOAL-ANSWER')) return { say: 'The answer is 四十二.' };
    if (text.includes('GOAL-HOLD')) {
      await held.open;
      return { say: 'held and released' };
    }
    if (text.includes('GOAL-LIE')) {
      if (round === 0) return { calls: [['delegate_task', { goal: 'count the users', name: 'count' }]] };
      return { say: text.includes('"unverified"') ? 'The number of users is not known.' : 'There are 4,711 users.' };
    }
    if (text.includes('GOAL-SPLIT')) {
      if (round > 0) return { say: 'both parts are done' };
      return {
        calls: [
          ['delegate_task', { goal: 'first part', name: 'one' }],
          ['delegate_task', { goal: 'second part', name: 'two' }],
        ],
      };
    }
    if (text.includes('GOAL-WRITE')) {
      if (round > 0) return { say: text.includes('did not allow') ? 'It was not allowed.' : 'It is written.' };
      return { calls: [['write_file', { path: 'out.md', content: '# 报告\n' }]] };
    }
    if (text.includes('GOAL-LOOP')) return { calls: [['list_files', { path: '.', depth: (round % 7) + 1 }]] };
    return { say: 'no rule' };
  };
