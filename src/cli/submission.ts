/** From the command line to a submission. */
import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Explained } from '../config/load.js';
import type { Settings } from '../config/settings.js';
import { FailureError, failure } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';
import { prioritySchema } from '../domain/lane.js';
import { type Submission, taskKindSchema } from '../domain/task.js';
import { type Flags, withSettings } from './settings.js';

interface SubmissionFlags extends Flags {
  readonly file?: readonly string[];
  readonly context?: string;
  readonly kind?: Submission['kind'];
  readonly role?: string;
  readonly priority?: Submission['priority'];
  readonly queue?: string;
  readonly tenant?: string;
  readonly tools?: string;
  readonly resultSchema?: string;
  readonly key?: string;
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

export function withSubmission(command: Command): Command {
  command
    .argument('<goal>', 'what is to be done')
    .option('-f, --file <path>', 'file that the task is about; repeatable; - is standard input', collect)
    .option('--context <text>', 'what the agents should know beside the goal')
    .addOption(new Option('--kind <kind>', 'decides the default number of rounds').choices(taskKindSchema.options))
    .option('--role <name>', 'role of the root agent (default planner)')
    .addOption(new Option('--priority <priority>').choices(prioritySchema.options))
    .option('--tenant <name>', 'for whom the task is; tenants share the workers fairly (default default)')
    .option('--queue <name>', 'capability that the worker of the root agent must have, like gpu')
    .option('--tools <names>', 'only these tools, separated by commas')
    .option('--result-schema <json>', 'JSON Schema of the result, or @FILE with it')
    .option('--key <text>', 'idempotency key: the same key and body is the same task', notEmpty);
  return withSettings(command, { budget: true });
}

function notEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('expected a text that is not empty');
  return text;
}

export async function submissionFrom(
  goal: string,
  flags: Flags,
  files: readonly string[],
  explanation: readonly Explained[],
  settings: Settings,
): Promise<Submission> {
  const { context, kind, role, priority, queue, tenant, tools, resultSchema, key } = flags as SubmissionFlags;
  const said = new Set<string>(explanation.filter(({ source }) => source !== 'default').map(({ setting }) => setting));
  const permission: Submission['permission'] = {
    ...(tools === undefined ? {} : { tools: tools.split(',').map((name) => name.trim()) }),
    ...(said.has('approval.policy') ? { approval: settings.approval.policy } : {}),
  };
  const budget = budgetFrom(settings, said, kind ?? 'general');
  return {
    goal,
    ...(context === undefined ? {} : { context }),
    ...(files.length === 0 ? {} : { files: [...files] }),
    ...(kind === undefined ? {} : { kind }),
    ...(role === undefined ? {} : { role: role as NonNullable<Submission['role']> }),
    ...(priority === undefined ? {} : { priority }),
    ...(tenant === undefined ? {} : { tenant: tenant as NonNullable<Submission['tenant']> }),
    ...(queue === undefined ? {} : { queue: queue as NonNullable<Submission['queue']> }),
    ...(resultSchema === undefined ? {} : { resultSchema: await schemaFrom(resultSchema) }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(Object.keys(permission).length === 0 ? {} : { permission }),
  };
}

/** What this side was told. The rest is up to whoever accepts the task. */
function budgetFrom(
  { budget }: Settings,
  said: ReadonlySet<string>,
  kind: NonNullable<Submission['kind']>,
): NonNullable<Submission['budget']> {
  const rounds = said.has('budget.rounds')
    ? budget.rounds
    : said.has(`budget.roundsByKind.${kind}`)
      ? budget.roundsByKind[kind]
      : undefined;
  return {
    ...(rounds === undefined ? {} : { rounds }),
    ...(said.has('budget.tokens') ? { tokens: budget.tokens } : {}),
    ...(said.has('budget.usd') ? { costUsd: budget.usd } : {}),
    ...(said.has('budget.seconds') ? { seconds: budget.seconds } : {}),
    ...(said.has('budget.toolCalls') ? { toolCalls: budget.toolCalls } : {}),
    ...(said.has('budget.children') ? { children: budget.children } : {}),
  };
}

async function schemaFrom(given: string): Promise<JsonObject> {
  const refuse = (why: string): never => {
    throw new FailureError(failure('invalid_request', `--result-schema: expected a JSON object, ${why}`));
  };
  const text = given.startsWith('@')
    ? await readFile(given.slice(1), 'utf8').catch((error: Error) =>
        refuse(`and ${given.slice(1)} cannot be read: ${error.message}`),
      )
    : given;
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as JsonObject)
      : refuse('got other JSON');
  } catch (error) {
    if (error instanceof FailureError) throw error;
    return refuse(`got text that is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
