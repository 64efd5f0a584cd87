/** Commands that change the course of a task: pause, resume, cancel, correct, budget, approve, deny, answer. */
import type { Command } from 'commander';
import type { Client } from '../../control/client.js';
import { FailureError, failure } from '../../domain/failure.js';
import { type AgentId, type ApprovalId, approvalIdSchema } from '../../domain/id.js';
import type { JsonObject } from '../../domain/json.js';
import { exitCodes } from '../exit.js';
import { by } from '../follow.js';
import { type Session, value, withJson, withRuntime } from '../session.js';
import { type Flags, withSettings } from '../settings.js';
import { requestLine } from '../tree-view.js';
import { agentIdFrom, wholeNumber } from './task.js';

export function addSteerCommands(program: Command): void {
  const command = (name: string, description: string) =>
    withSettings(withJson(program.command(name).description(description)));
  const target = (name: string, description: string) =>
    command(name, `${description} (a task, or one agent of it)`).argument('<id>', 'a task or an agent', agentIdFrom);
  target('pause', 'let the round end, then rest').action((agentId, flags) =>
    steer(flags, 'paused', ({ client }) => client.pause({ agentId, by: by() })),
  );
  target('resume', 'go on after a pause').action((agentId, flags) =>
    steer(flags, 'goes on', ({ client }) => client.resume({ agentId, by: by() })),
  );
  target('cancel', 'end with what there is')
    .option('--reason <text>')
    .action((agentId, flags) =>
      steer(flags, 'will end', ({ client }) => client.cancel({ agentId, by: by(), ...reasonOf(flags) })),
    );
  target('correct', 'give an instruction on the way')
    .argument('<text>')
    .option('--memory <json>', 'entries to set in working memory', memoryFrom)
    .action((agentId, text, flags) =>
      steer(flags, 'will hear it', ({ client }) => client.correct({ agentId, text, by: by(), ...memoryOf(flags) })),
    );
  addBudget(target('budget', 'set new limits; an agent of a task gets more out of what its parent has left'));
  command('approve', 'allow what an agent asks for; without an id, list what is asked')
    .argument('[id...]', 'requests', requestIds)
    .action((ids, flags) => decide(ids, flags, true));
  command('deny', 'refuse what an agent asks for')
    .argument('<id...>', 'requests', requestIds)
    .option('--reason <text>')
    .action((ids, flags) => decide(ids, flags, false));
  command('answer', 'answer a question of an agent')
    .argument('<id>', 'a question', requestId)
    .argument('<text>')
    .action(answer);
}

const reasonOf = ({ reason }: Flags) => (typeof reason === 'string' ? { reason } : {});

function memoryFrom(text: string): JsonObject {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as JsonObject;
  } catch {
    // Told below.
  }
  throw new FailureError(failure('invalid_request', `--memory: expected a JSON object, got ${text.slice(0, 80)}`));
}

const memoryOf = ({ memory }: Flags) => (memory === undefined ? {} : { memory: memory as JsonObject });

function steer(flags: Flags, word: string, send: (session: Session) => ReturnType<Client['pause']>): Promise<void> {
  return withRuntime(flags, {}, async (session) => {
    const steered = value(await send(session));
    session.output.json({ v: 1, ...steered });
    session.output.print(`${steered.agentId} ${word}`);
    return exitCodes.done;
  });
}

function addBudget(command: Command): void {
  command
    .option('--rounds <count>')
    .option('--tokens <count>')
    .option('--usd <amount>')
    .option('--tool-calls <count>')
    .option('--children <count>')
    .option('--seconds <count>', 'from now on')
    .action((agentId: AgentId, flags: Flags) => {
      const budget = budgetOf(flags);
      return steer(flags, 'has a new budget', ({ client }) => client.budget({ agentId, budget, by: by() }));
    });
}

function budgetOf(flags: Flags) {
  const usd = flags.usd === undefined ? undefined : Number(flags.usd);
  const entries = [
    ['rounds', wholeNumber('--rounds', flags.rounds)],
    ['tokens', wholeNumber('--tokens', flags.tokens)],
    ['costUsd', usd],
    ['toolCalls', wholeNumber('--tool-calls', flags.toolCalls)],
    ['children', wholeNumber('--children', flags.children)],
    ['seconds', wholeNumber('--seconds', flags.seconds)],
  ].filter(([, amount]) => amount !== undefined);
  if (entries.length === 0) {
    throw new FailureError(
      failure('invalid_request', 'expected at least one limit', 'for example: hact budget ID --rounds 40'),
    );
  }
  return Object.fromEntries(entries) as Record<string, number>;
}

const requestId = (text: string): ApprovalId => {
  const read = approvalIdSchema.safeParse(text);
  if (read.success) return read.data;
  throw new FailureError(
    failure(
      'invalid_request',
      `expected the id of a request like apr_…, got ${JSON.stringify(text.slice(0, 80))}`,
      'hact approve lists what is asked',
    ),
  );
};

/** Commander calls it for each id with what it has so far. */
const requestIds = (text: string, before: readonly ApprovalId[] = []): ApprovalId[] => [...before, requestId(text)];

const decide = (ids: readonly ApprovalId[], flags: Flags, allow: boolean): Promise<void> =>
  withRuntime(flags, {}, async (session) => {
    const { client, output } = session;
    if (ids.length === 0) return listRequests(session);
    const decided = [];
    for (const id of ids) decided.push(value(await client.decide({ id, allow, by: by(), ...reasonOf(flags) })));
    output.json({ v: 1, decided });
    for (const { id } of decided) output.print(`${id} ${allow ? 'allowed' : 'denied'}`);
    return exitCodes.done;
  });

async function listRequests({ client, output }: Session): Promise<number> {
  const { requests } = value(await client.approvals());
  output.json({ v: 1, requests });
  if (requests.length === 0) output.say('nothing is asked');
  for (const request of requests) output.print(`${request.agentId}: ${requestLine(request, 'hact')}`);
  return exitCodes.done;
}

const answer = (id: ApprovalId, text: string, flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async ({ client, output }) => {
    const answered = value(await client.answer({ id, text, by: by() }));
    output.json({ v: 1, ...answered });
    output.print(`${answered.id} answered`);
    return exitCodes.done;
  });
