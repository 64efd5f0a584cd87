/** What can be looked at: `GET /api/…`, by path. */
import type { Bus } from '../bus/contract.js';
import type { TaskLine } from '../control/protocol.js';
import { totalsOf, treeOfReport } from '../control/tree.js';
import { fail, ok, type Result } from '../domain/failure.js';
import { agentIdSchema, type TaskId, taskIdSchema } from '../domain/id.js';
import type { Usage } from '../domain/usage.js';
import type { Board } from './board.js';
import type { Chart } from './chart.js';
import type { InspectorClient } from './client.js';
import { readTrajectory } from './trajectory.js';

export interface ReadOptions {
  readonly bus: Bus;
  readonly client: InspectorClient;
  readonly board: Board;
  readonly machines: readonly Chart[];
}

/** Running tasks whose trees are read for the list; beyond that the list tells less. */
const treesInList = 50;
const goalInList = 400;

/** A line of the list of tasks. */
interface TaskRow extends TaskLine {
  /** Where the root agent is, and what the tree has used; absent when it is not known here. */
  readonly live?: { state: string; detail: string; round: number; agents: number; waiting: number; usage: Usage };
}

/** Answers a path below `/api`; undefined when there is nothing of that name. */
export async function answerRead(url: URL, options: ReadOptions): Promise<Result<unknown> | undefined> {
  const [what, id, ...rest] = url.pathname.split('/').slice(2).map(decoded);
  if (rest.length > 0) return undefined;
  switch (what) {
    case 'tasks':
      return id === undefined ? listTasks(options) : readTask(id, options);
    case 'agents':
      return id === undefined ? undefined : readAgent(id, url, options);
    case 'machines':
      return id === undefined ? ok({ machines: options.machines }) : undefined;
    case 'approvals':
      return id === undefined ? options.client.approvals() : undefined;
    case 'status':
      return id === undefined ? ok({ ...options.bus.status(), seq: options.board.seq }) : undefined;
    default:
      return undefined;
  }
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
};

async function listTasks({ client, board }: ReadOptions): Promise<Result<unknown>> {
  const { seq } = board;
  const listed = await client.list();
  if (!listed.ok) return listed;
  const running = listed.value.tasks.filter(({ state }) => state === 'accepted').slice(0, treesInList);
  const opened = new Set<TaskId>(running.map(({ taskId }) => taskId));
  const rows = await Promise.all(
    listed.value.tasks.map(async (task): Promise<TaskRow> => {
      const row = { ...task, goal: task.goal.slice(0, goalInList) };
      if (!opened.has(task.taskId) && !board.has(task.taskId)) return row;
      const found = await board.open(task.taskId);
      const root = found.ok ? found.value.tree.agents[0] : undefined;
      if (!found.ok || root === undefined) return row;
      const { agents } = found.value.tree;
      const waiting = agents.reduce((total, agent) => total + agent.waiting.length, 0);
      const { state, detail, round } = root;
      return {
        ...row,
        live: { state, detail, round, agents: agents.length, waiting, usage: totalsOf(found.value.tree).usage },
      };
    }),
  );
  return ok({ seq, tasks: rows });
}

async function readTask(id: string, { client, board }: ReadOptions): Promise<Result<unknown>> {
  const taskId = taskIdSchema.safeParse(id);
  if (!taskId.success) return fail('invalid_request', `expected a task id, got ${JSON.stringify(id.slice(0, 140))}`);
  const record = await client.get(taskId.data);
  if (!record.ok) return record;
  const opened = await board.open(taskId.data);
  if (!opened.ok) return opened;
  const { report, endedAt, submittedAt } = record.value;
  const eventsAreGone = opened.value.tree.agents.length === 0 && report !== undefined;
  const tree = eventsAreGone ? treeOfReport(report, endedAt ?? submittedAt) : opened.value.tree;
  return ok({ task: record.value, ...opened.value, tree });
}

async function readAgent(id: string, url: URL, { bus }: ReadOptions): Promise<Result<unknown>> {
  const agentId = agentIdSchema.safeParse(id);
  if (!agentId.success) return fail('invalid_request', `expected an agent id, got ${JSON.stringify(id.slice(0, 140))}`);
  const after = Number(url.searchParams.get('after') ?? 0);
  return readTrajectory(bus, agentId.data, Number.isSafeInteger(after) && after > 0 ? after : 0);
}
