/** What is kept of schedules that failed: their history, and the journals of the agents that its problems name. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentId } from '../../src/domain/id.js';
import type { Problem } from './checker.js';
import type { History } from './history.js';
import type { House } from './house.js';
import type { Schedule } from './schedule.js';

export async function archive(
  folder: string,
  {
    schedules,
    history,
    problems,
    house,
  }: { schedules: readonly Schedule[]; history: History; problems: readonly Problem[]; house: House },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const ofKeys = history.tasks.filter(({ key }) => problems.some(({ words }) => words.startsWith(key)));
  const inWords = problems.flatMap(({ words }) => words.match(/tsk_[0-9A-Z]+(?:-\d+)*/g) ?? []);
  const named = [...inWords, ...ofKeys.flatMap(({ ids }) => ids)];
  const journals = await Promise.all(
    [...new Set(named)].map(async (agentId) => {
      const { inbox, journal, buckets } = house.runtime.bus;
      const records = await journal.read(agentId as AgentId, 0);
      const messages = await inbox.read(agentId as AgentId, 0);
      const snapshot = await buckets.agent.get(agentId);
      return { agentId, records, messages, snapshot };
    }),
  );
  const tasks = history.tasks.flatMap(({ ids }) => ids);
  const ledger = history.ledger.filter(({ agentId }) => tasks.some((id) => agentId.startsWith(id)));
  const text = JSON.stringify({ schedules, problems, history: { ...history, ledger }, journals }, null, 1);
  await writeFile(join(folder, `seed-${schedules[0]?.seed}.json`), text);
  await copyFile(house.log, join(folder, `seed-${schedules[0]?.seed}.log`)).catch(() => undefined);
}
