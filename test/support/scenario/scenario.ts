/** The form of a scenario file: goal, tools, what the model and the tools answer, what people do, and what must come of it. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const json = z.record(z.string(), z.unknown());
const failing = z.object({ kind: z.string(), message: z.string().default(''), retryable: z.boolean().default(false) });

const entrySchema = z.object({
  text: z.string().optional(),
  message: json.optional(),
  finish_reason: z.string().default('stop'),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).optional(),
  fault: z.object({ kind: z.string(), provider: z.string().optional(), times: z.number().default(1) }).optional(),
});
export type ScriptEntry = z.infer<typeof entrySchema>;

const scenarioSchema = z.object({
  id: z.string(),
  lang: z.string(),
  title: z.string(),
  goal: z.string(),
  budget: z.object({ rounds: z.number(), tokens: z.number(), cost_usd: z.number(), time_ms: z.number() }),
  price: z.object({ prompt_per_1k: z.number(), completion_per_1k: z.number() }),
  tools: z.array(
    z.object({
      function: z.object({ name: z.string(), description: z.string().default(''), parameters: json }),
      requires_approval: z.boolean().default(false),
      side_effect: z.boolean().default(false),
    }),
  ),
  agents: z.record(z.string(), z.array(z.string())).optional(),
  providers: z.array(z.string()).default(['primary']),
  tool_script: z.array(
    z.object({
      tool: z.string(),
      when: json.default({}),
      result: z.unknown().optional(),
      error: failing.optional(),
      times: z.number().optional(),
      latency_ms: z.number().default(0),
    }),
  ),
  model_script: z.object({
    main: z.array(entrySchema).optional(),
    planner: z.array(entrySchema).optional(),
    executors: z
      .array(z.object({ when: z.object({ task_includes: z.string() }), steps: z.array(entrySchema) }))
      .default([]),
  }),
  humans: z
    .array(
      z.object({
        on: z.string(),
        tool: z.string().optional(),
        action: z.string(),
        text: z.string().optional(),
        by: z.string().default('human'),
        after_ms: z.number().default(0),
        times: z.number().optional(),
      }),
    )
    .default([]),
  /** Settings of the worker. A plan is decided on when all of a round have reported, unless `limits.decideEarly` says so. */
  settings: json.default({}),
  faults: z.array(json).default([]),
  expect: json,
});
export type Scenario = z.infer<typeof scenarioSchema>;

export async function readScenario(path: string): Promise<Scenario> {
  const parsed = scenarioSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${path} is no scenario: ${z.prettifyError(parsed.error)}`);
}

/** Whether every field of `part` stands in `whole` with an equal value. */
export const isSubset = (part: Record<string, unknown>, whole: Record<string, unknown>): boolean =>
  Object.entries(part).every(([key, value]) => JSON.stringify(whole[key]) === JSON.stringify(value));
