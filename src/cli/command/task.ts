/** Commands about one task, or all: submit, watch, ls, show, cost. */
import type { Command } from 'commander';
import { costOf } from '../../control/cost.js';
import { defaultRole } from '../../control/order.js';
import type { TaskLine } from '../../control/protocol.js';
import { FailureError, failure } from '../../domain/failure.js';
import { type AgentId, agentIdSchema, type TaskId, taskIdSchema } from '../../domain/id.js';
import type { Submission } from '../../domain/task.js';
import { costLine } from '../../observe/cost.js';
import { exitCodes, exitOfReport } from '../exit.js';
import { follow } from '../follow.js';
import { inputFiles } from '../input.js';
import type { Output } from '../output.js';
import { printResult, resultJson } from '../result.js';
import { type Session, value, withJson, withRuntime } from '../session.js';
import { type Flags, withSettings } from '../settings.js';
import { clip, oneLine, pad } from '../style.js';
import { submissionFrom, withSubmission } from '../submission.js';
import { treeLines } from '../tree-view.js';

/** Reads an id as a person typed it. */
export function taskIdFrom(text: string): TaskId {
  const read = taskIdSchema.safeParse(text);
  if (read.success) return read.data;
  throw new FailureError(
    failure(
      'invalid_request',
      `expected a task id like tsk_0A1B2C3D4E5, got ${JSON.stringify(text.slice(0, 80))}`,
      'hact ls lists the tasks',
    ),
  );
}

export const agentIdFrom = (text: string): AgentId => agentIdSchema.parse(taskIdFrom(text));

export function addTaskCommands(program: Command): void {
  withJson(withSubmission(program.command('submit').description('hand in a task and return at once'))).action(submit);
  withSettings(
    withJson(program.command('watch').description('follow a task to its end').argument('<id>', 'a task', taskIdFrom)),
  )
    .option('--stream-json', 'one event a line, with its sequence')
    .option('--after <seq>', 'events after this sequence only')
    .action(watch);
  withSettings(withJson(program.command('ls').description('list tasks, the newest first')))
    .option('--running', 'only those that have not ended')
    .option('-n, --limit <count>', 'at most so many', '20')
    .action(list);
  withSettings(
    withJson(program.command('show').description('what is known of a task').argument('<id>', 'a task', taskIdFrom)),
  ).action(show);
  withSettings(
    withJson(program.command('cost').description('what a task has cost so far').argument('<id>', 'a task', taskIdFrom)),
  ).action(cost);
}

const submit = (goal: string, flags: Flags): Promise<void> =>
  withRuntime(flags, { startServer: true }, async (session) => {
    const { client, output, settings, explanation } = session;
    const files = await inputFiles((flags.file as string[] | undefined) ?? [], settings.dataDir);
    const submission = await submissionFrom(goal, flags, files, explanation, settings);
    const accepted = value(await client.submit(submission));
    output.json({ v: 1, ...accepted });
    output.print(accepted.taskId);
    await noteUnserved(session, accepted.taskId, submission);
    return exitCodes.done;
  });

/** Says so when nobody is there to begin the task. */
export async function noteUnserved(
  { client, output }: Session,
  taskId: TaskId,
  { role = defaultRole, queue }: Pick<Submission, 'role' | 'queue'>,
): Promise<void> {
  const served = value(await client.served());
  const serves = `hact worker --role ${role}${queue === undefined ? '' : ` --queue ${queue}`}`;
  if (served.size === 0)
    output.note(`no worker is running: ${taskId} is kept and waits for one (hact worker, or hact dev)`);
  else if (!served.has(role))
    output.note(
      `no worker serves the role ${role} (those that run: ${[...served.keys()].sort().join(', ')}): ${taskId} is kept and waits for one (${serves})`,
    );
  else if (queue !== undefined && served.get(role)?.has(queue) !== true)
    output.note(`no worker serves the queue ${queue} now: ${taskId} is kept and waits for one (${serves})`);
}

const watch = (taskId: TaskId, flags: Flags): Promise<void> =>
  withRuntime(flags, { startServer: false }, async (session) => {
    const after = wholeNumber('--after', flags.after);
    const humans = process.stdin.isTTY && session.output.live ? 'ask' : 'show';
    const followed = await follow(session, taskId, { after: after ?? 0, humans, detached: `${taskId} goes on` });
    return finish(session, followed);
  });

/** Prints what came of following a task. */
export function finish({ output }: Session, followed: Awaited<ReturnType<typeof follow>>): number {
  if (followed.kind === 'left') return exitCodes.interrupted;
  const { record, interrupted } = followed;
  if (record.report === undefined) return exitCodes.failed;
  if (output.mode === 'stream') output.json({ result: resultJson(record.report) });
  else printResult(record, output);
  return interrupted ? exitCodes.interrupted : exitOfReport(record.report);
}

export function wholeNumber(flag: string, given: unknown): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (Number.isSafeInteger(number) && number >= 0 && String(given).trim() !== '') return number;
  throw new FailureError(failure('invalid_request', `${flag}: expected a whole number, got ${JSON.stringify(given)}`));
}

const list = (flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async ({ client, output }) => {
    const limit = wholeNumber('--limit', flags.limit) ?? 20;
    const { tasks } = value(await client.list({ limit, ...(flags.running ? { state: 'accepted' as const } : {}) }));
    output.json({ v: 1, tasks });
    if (tasks.length === 0) output.say('no tasks');
    for (const task of tasks) output.print(lineOf(task, output));
    return exitCodes.done;
  });

function lineOf(task: TaskLine, output: Output): string {
  const at = new Date(task.submittedAt).toISOString().slice(0, 16).replace('T', ' ');
  const room = Math.max(20, output.columns() - 48);
  return `${pad(task.taskId, 16)} ${pad(task.status ?? 'running', 10)} ${at}  ${clip(oneLine(task.goal), room)}`;
}

const show = (taskId: TaskId, flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async ({ client, output }) => {
    const record = value(await client.get(taskId));
    const tree = value(await client.tree(taskId));
    const { report, ...task } = record;
    output.json({ v: 1, task, tree, ...(report === undefined ? {} : { result: resultJson(report) }) });
    if (output.mode !== 'human') return exitCodes.done;
    output.say(`${output.style.bold(task.taskId)}  ${report?.status ?? 'running'}  ${clip(oneLine(task.goal), 200)}`);
    const look = { columns: output.columns(), style: output.style, now: record.endedAt ?? Date.now(), command: 'hact' };
    for (const line of treeLines(tree, look)) output.say(line);
    printResult(record, output);
    return exitCodes.done;
  });

const cost = (taskId: TaskId, flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async ({ client, output }) => {
    const found = value(await costOf(client, taskId));
    output.json({ v: 1, ...found });
    for (const { agentId, depth, status, usage } of found.agents) {
      output.print(`${pad(`${'  '.repeat(depth)}${agentId}`, 28)} ${pad(status ?? 'running', 10)} ${costLine(usage)}`);
    }
    output.print(`${pad(found.ended ? 'in all' : 'so far', 28)} ${pad('', 10)} ${costLine(found.total)}`);
    return exitCodes.done;
  });
