/** Steering: messages of people to a running agent. Each is stored in its inbox, and the agent is woken. */
import { fail, ok, type Result } from '../domain/failure.js';
import { type AgentId, parentAgentOf, rootAgentOf, type TaskId } from '../domain/id.js';
import { type Lane, laneOf } from '../domain/lane.js';
import type { Message, MessageOf } from '../domain/message.js';
import type { Control } from './control.js';
import type { RequestOf, ResponseOf } from './protocol.js';
import { parseRecord, unknownTask } from './record.js';

type Steered = Result<ResponseOf<'task.cancel'>>;

/** An agent that can still be reached, and what a wake for it needs. */
export interface Addressee extends Lane {
  readonly taskId: TaskId;
  readonly agentId: AgentId;
}

export const cancel = (control: Control, { by, reason, ...target }: RequestOf<'task.cancel'>): Promise<Steered> =>
  steer(control, target, { type: 'task.cancelled', by, ...(reason === undefined ? {} : { reason }) });

export const pause = (control: Control, { by, ...target }: RequestOf<'task.pause'>): Promise<Steered> =>
  steer(control, target, { type: 'human.paused', by });

export const resume = (control: Control, { by, ...target }: RequestOf<'task.resume'>): Promise<Steered> =>
  steer(control, target, { type: 'human.resumed', by });

export const correct = (
  control: Control,
  { by, text, memory, ...target }: RequestOf<'task.correct'>,
): Promise<Steered> =>
  steer(control, target, { type: 'human.corrected', by, text, ...(memory === undefined ? {} : { memory }) });

/** An agent below the root holds a slice of its parent's budget: the parent is asked, and gives what it can. */
export async function changeBudget(
  control: Control,
  { budget, by, ...target }: RequestOf<'task.budget'>,
): Promise<Steered> {
  const { agentId } = target;
  const parent = agentId === undefined ? undefined : parentAgentOf(agentId);
  if (agentId === undefined || parent === undefined)
    return steer(control, target, { type: 'budget.changed', budget, by });
  const found = await locate(control, { agentId });
  if (!found.ok) return found;
  const asked = await steer(control, { agentId: parent }, { type: 'subtask.budget', agentId, budget, by });
  return asked.ok ? ok({ agentId, accepted: true }) : asked;
}

type Steering =
  | 'task.cancelled'
  | 'human.paused'
  | 'human.resumed'
  | 'human.corrected'
  | 'budget.changed'
  | 'subtask.budget';
type Content = { [T in Steering]: Omit<MessageOf<T>, 'v' | 'id' | 'at'> }[Steering];
type Target = { readonly taskId?: TaskId | undefined; readonly agentId?: AgentId | undefined };

async function steer(control: Control, target: Target, content: Content): Promise<Steered> {
  const found = await locate(control, target);
  if (!found.ok) return found;
  const id = `ctl.${control.ids.token()}`;
  const sent = await send(control, found.value, { v: 1, id, at: control.clock.now(), ...content });
  return sent.ok ? ok({ agentId: found.value.agentId, accepted: true }) : sent;
}

/** Stores a message and wakes the agent. A lost wake is made up for by the reconciler: what counts is the inbox. */
export async function send({ bus }: Control, to: Addressee, message: Message): Promise<Result<void>> {
  const stored = await bus.inbox.put(to.agentId, message);
  if (!stored.ok) return stored;
  bus.inbox.nudge(to.agentId);
  await bus.wakes.put(laneOf(to), to.agentId);
  return ok(undefined);
}

/** Finds the agent by the order in its inbox, which stays there until it ends. */
async function locate(control: Control, target: Target): Promise<Result<Addressee>> {
  const agentId = target.agentId ?? rootAgentOf(target.taskId ?? ('' as TaskId));
  const task = await runningTask(control, agentId);
  if (!task.ok) return task;
  const messages = await control.bus.inbox.read(agentId, 0);
  if (!messages.ok) return messages;
  const order = messages.value.map(({ value }) => value).find((message) => message.type === 'task.ordered')?.order;
  if (order !== undefined) return ok({ ...laneOf(order), taskId: task.value, agentId });
  // The task may have ended between the two reads.
  const still = await runningTask(control, agentId);
  if (!still.ok) return still;
  return agentId === rootAgentOf(task.value)
    ? fail(
        'conflict',
        `task ${agentId} has no order yet: its acceptance was interrupted`,
        'submit it again with the same key',
      )
    : fail('not_found', `there is no running agent ${agentId}`, `hact show ${task.value} lists the agents of the task`);
}

/** The task that an agent belongs to: ids of agents are made from their parents'. Fails when it has ended. */
async function runningTask({ bus }: Control, agentId: AgentId): Promise<Result<TaskId>> {
  for (let id: string = agentId; ; id = id.replace(/-\d+$/, '')) {
    const found = await bus.buckets.task.get(id);
    if (!found.ok) return found;
    if (found.value !== undefined) {
      const record = parseRecord(id, found.value.value);
      if (!record.ok) return record;
      const { state, report } = record.value;
      if (state === 'accepted') return ok(id as TaskId);
      return fail(
        'conflict',
        `task ${id} has ended already: ${report?.status ?? 'unknown'}`,
        `hact show ${id} prints its result`,
      );
    }
    if (!/-\d+$/.test(id)) return unknownTask(id);
  }
}
