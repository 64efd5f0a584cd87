/** The tools by which an agent hands work on, asks a person, and ends its task. */
import { z } from 'zod';
import type { Json, JsonObject } from '../../domain/json.js';
import { queueNameSchema } from '../../domain/lane.js';
import { schemaProblem } from '../schema-result.js';
import { defineTool, type Tool } from '../tool.js';

const budget = z
  .object({
    rounds: z.int().positive().optional().describe('model calls'),
    tokens: z.int().positive().optional(),
    cost_usd: z.number().positive().optional(),
    seconds: z.number().positive().max(31_536_000).optional().describe('wall-clock time'),
    tool_calls: z.int().nonnegative().optional(),
  })
  .strict();

export const delegateTask: Tool = defineTool({
  name: 'delegate_task',
  description:
    'Hands a subtask to another agent, which works on its own and reports back. Several calls in one reply run in ' +
    'parallel. The other agent knows only what you write here: goal and context must be complete.',
  parameters: z.object({
    goal: z.string().trim().min(1).describe('what is to be found out or done, with all names, paths and conditions'),
    context: z.string().optional().describe('facts the other agent needs'),
    tools: z
      .array(z.string())
      .optional()
      .describe('names of the tools it may use; all of yours and its own when absent'),
    budget: budget.optional().describe('what it may spend, taken out of yours'),
    queue: queueNameSchema.optional().describe('what its machine must be able to do, as you were told it, like gpu'),
    result_schema: z
      .record(z.string(), z.unknown())
      .superRefine((schema, context) => {
        const problem = schemaProblem(schema as JsonObject);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: `is no JSON Schema: ${problem}` });
      })
      .optional()
      .describe('JSON Schema that its result must satisfy'),
    depends_on: z
      .array(z.string())
      .optional()
      .describe('names of subtasks whose results it needs; it starts after them'),
    name: z.string().max(80).optional().describe('a short name for depends_on'),
  }),
  effect: 'idempotent',
  route: 'delegate',
  delegation: (args) => ({
    goal: args.goal,
    ...(args.context === undefined ? {} : { context: args.context }),
    ...(args.tools === undefined ? {} : { tools: args.tools }),
    ...(args.queue === undefined ? {} : { queue: args.queue }),
    ...(args.budget === undefined ? {} : { budget: budgetOf(args.budget) }),
    ...(args.result_schema === undefined ? {} : { resultSchema: args.result_schema as JsonObject }),
    ...(args.depends_on === undefined ? {} : { dependsOn: args.depends_on }),
    ...(args.name === undefined ? {} : { name: args.name }),
  }),
});

const budgetOf = ({ cost_usd: costUsd, tool_calls: toolCalls, ...rest }: z.output<typeof budget>) => ({
  ...rest,
  ...(costUsd === undefined ? {} : { costUsd }),
  ...(toolCalls === undefined ? {} : { toolCalls }),
});

export const steerSubtask: Tool = defineTool({
  name: 'steer_subtask',
  description:
    'Stops a subtask that has not ended, or changes what it may spend in all; more comes out of your own budget. ' +
    'What it holds now stands in the list of subtasks.',
  parameters: z.object({
    subtask: z.string().min(1).describe('its name'),
    cancel: z.boolean().optional().describe('true: stop it; what it has found so far is reported'),
    budget: budget.optional().describe('new limits in all'),
  }),
  effect: 'idempotent',
  route: 'steer',
  steering: ({ subtask, cancel, budget: limits }) => ({
    subtask,
    ...(cancel === undefined ? {} : { cancel }),
    ...(limits === undefined ? {} : { budget: budgetOf(limits) }),
  }),
});

export const askUser: Tool = defineTool({
  name: 'ask_user',
  description:
    'Asks the person who gave the task, and waits for the answer. Only for what you cannot find out and may not guess.',
  parameters: z.object({ question: z.string().trim().min(1).describe('one question, in the language of the goal') }),
  effect: 'idempotent',
  route: 'ask',
  question: (args) => args.question,
});

export const finish: Tool = defineTool({
  name: 'finish',
  description: 'Ends the task with its result. Call it once the goal is reached, or when it cannot be reached.',
  parameters: z.object({
    result: z.unknown().optional().describe('the result itself: text, or data in the form that was asked for'),
    summary: z.string().optional().describe('what was done and found, for people'),
    status: z
      .enum(['done', 'partial', 'failed'])
      .optional()
      .describe('done: the goal is reached (default); partial: some of it; failed: none of it'),
  }),
  effect: 'idempotent',
  route: 'finish',
  finish: ({ result, summary, status }) => ({
    // The arguments came as JSON, so this is JSON.
    result: (result ?? summary ?? null) as Json,
    summary: summary ?? (typeof result === 'string' ? result : ''),
    status: status ?? 'done',
  }),
});

export const controlTools: readonly Tool[] = [delegateTask, steerSubtask, askUser, finish];
