/** All settings: one schema with every default and, in `describe`, what people are told about each. */
import { z } from 'zod';
import { lanePartPattern } from '../domain/lane.js';
import { tenantTableSchema } from '../domain/tenant.js';
import { httpUrl, jsonOf, listOf, numberFrom, oneOf, text, wholeFrom, yesOrNo } from './leaf.js';

/** Providers that can be chosen by name. `src/llm` knows what each one means. */
export const modelPresets = [
  'scripted',
  'openai',
  'azure',
  'anthropic',
  'openrouter',
  'deepseek',
  'qwen',
  'moonshot',
  'ollama',
  'vllm',
  'llamacpp',
  'lmstudio',
] as const;

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

const price = z.number().nonnegative();
const pricesSchema = z.record(
  z.string(),
  z.strictObject({
    inputPerMillion: price,
    outputPerMillion: price,
    cachedInputPerMillion: price.optional(),
  }),
);

const perMinute = z.int().positive();
/** By what a provider is called: a preset, or the host (and port) of an address. */
const providersSchema = z.record(
  z.string().refine((name) => (modelPresets as readonly string[]).includes(name) || /^localhost$|[.:]/.test(name)),
  z.strictObject({ requestsPerMinute: perMinute.optional(), tokensPerMinute: perMinute.optional() }),
);

const natsSchema = z.strictObject({
  url: text('expected server addresses, separated by commas, like nats://127.0.0.1:4222')
    .optional()
    .describe('Server addresses. Without one, Hermes starts a server of its own on loopback.'),
  creds: text('expected the path of a credentials file').optional().describe('Credentials file for the server.'),
  token: text().optional().describe('Token for the server.'),
  prefix: text(
    'expected words of letters, digits, "_" and "-", joined by dots, like hact.v1',
    /^[\w-]{1,64}(?:\.[\w-]{1,64}){0,4}$/,
  )
    .default('hact.v1')
    .describe('First words of every subject. Installations with different prefixes do not see each other.'),
  server: text('expected the path of the nats-server program')
    .optional()
    .describe('The nats-server program for a server of its own. Without it, the program is looked for.'),
});

const modelSchema = z.strictObject({
  preset: oneOf(modelPresets)
    .optional()
    .describe(`Provider by name: ${modelPresets.join(', ')}.`),
  baseUrl: httpUrl().optional().describe('Address of any OpenAI-compatible endpoint.'),
  name: text()
    .optional()
    .describe('The model. Also a preset, `preset/name` (when no address is given), or an address.'),
  apiKey: text().optional().describe('The key. Better kept in a variable than in a file.'),
  keyVariable: text('expected the name of an environment variable', /^[A-Za-z_]\w*$/)
    .optional()
    .describe('Environment variable that holds the key, instead of the usual one of the preset.'),
  fallback: listOf('expected model names, separated by commas')
    .default([])
    .describe('Models to turn to, in this order, when the first cannot answer: `preset/name`, or a name there.'),
  small: text()
    .optional()
    .describe(
      'Small model for repairs that no rule can make: `preset/name`, or a name there. Without one, none is asked.',
    ),
  bridges: wholeFrom(0, 20)
    .default(0)
    .describe('Gaps in the reasoning of one reply that the small model is asked to bridge while the budget has room.'),
  temperature: numberFrom(0, 2).default(0.3).describe('Sampling temperature.'),
  maxOutputTokens: wholeFrom(16).default(2_048).describe('Longest reply of one decision.'),
  stream: yesOrNo().default(true).describe('Whether replies are streamed.'),
  timeoutMs: wholeFrom(100).default(120_000).describe('For one request, without its retries.'),
  windowTokens: wholeFrom(1_024).optional().describe('Context window. Without it, what is known of the model.'),
  markers: text('expected the path of a JSON or YAML file')
    .optional()
    .describe('File with further markers of a model’s output format.'),
  prices: jsonOf('expected for each model {"inputPerMillion": dollars, "outputPerMillion": dollars}', pricesSchema)
    .default({})
    .describe('US dollars for a million tokens, by model name. Stands above the built-in table.'),
  breaker: z
    .strictObject({
      failures: wholeFrom(1, 1_000)
        .default(5)
        .describe('Failures in a row, of all workers together, after which a provider is left alone.'),
      coolDownMs: wholeFrom(100, 3_600_000)
        .default(5_000)
        .describe('How long it is left alone the first time; twice as long after each probe that fails.'),
      maxCoolDownMs: wholeFrom(100, 3_600_000).default(60_000).describe('How long it is left alone at most.'),
    })
    .prefault({}),
});

const budgetSchema = z.strictObject({
  tokens: wholeFrom(1).default(200_000).describe('Prompt and completion tokens of a task, its subtasks included.'),
  usd: numberFrom(0, 1_000_000).default(1).describe('Money for model calls.'),
  rounds: wholeFrom(1).optional().describe('Model calls, for tasks of every kind. Without it, by kind.'),
  roundsByKind: z
    .strictObject({
      question: wholeFrom(1).default(5).describe('Model calls for a question.'),
      general: wholeFrom(1).default(20).describe('Model calls for a task of no special kind.'),
      coding: wholeFrom(1).default(30).describe('Model calls for a coding task.'),
    })
    .prefault({}),
  seconds: numberFrom(1, 31_536_000).default(1_800).describe('Wall-clock time.'),
  toolCalls: wholeFrom(0).default(100).describe('Tool calls.'),
  children: wholeFrom(0).default(16).describe('Sub-agents ever started.'),
});

const limitsSchema = z.strictObject({
  depth: wholeFrom(0, 10).default(3).describe('Levels of agents below the root.'),
  fanOut: wholeFrom(1, 1_000).default(16).describe('Subtasks of one agent that have not ended; more are refused.'),
  decideEarly: yesOrNo()
    .default(true)
    .describe('Ask a planner as soon as a subtask comes to nothing, not only when all of its round have reported.'),
  parallelSubtasks: wholeFrom(1, 1_000)
    .default(8)
    .describe('Subtasks of one agent at work at once; more wait for their turn.'),
  subtaskAttempts: wholeFrom(1, 100).default(3).describe('Times that one subtask may be ordered, the first included.'),
  repairPercent: wholeFrom(0, 100)
    .default(50)
    .describe('Share of an agent’s budget that repeated subtasks may take in all.'),
  gatherMs: wholeFrom(0, 600_000)
    .default(5_000)
    .describe('How long an agent that ends waits for the reports of subtasks that it stops.'),
  parallelCalls: wholeFrom(1, 100).default(5).describe('Tool calls of one round that run at once.'),
  reflectEvery: wholeFrom(3, 5).default(4).describe('Rounds between two reflections.'),
  repetitionCount: wholeFrom(2, 100).default(3).describe('The same action this often within the window ends the task.'),
  repetitionWindow: wholeFrom(2, 100).default(5).describe('Rounds that are looked at for repetition.'),
  corrections: wholeFrom(0, 20)
    .default(3)
    .describe('Corrections of a tool name or of arguments before the round fails.'),
  attempts: wholeFrom(1, 100).default(5).describe('Attempts at one step before an agent is given up as poisoned.'),
  claimChars: wholeFrom(0, 10_000_000)
    .default(60_000)
    .describe('Characters of a report whose claims are held against the journal.'),
  claimNumbers: wholeFrom(0, 10_000_000)
    .default(50_000)
    .describe('Numbers of the journal that the numbers of a report are held against.'),
  payloadBytes: wholeFrom(1_024, 1_048_576).default(262_144).describe('Bigger payloads go to the blob store.'),
});

export const settingsSchema = z.strictObject({
  nats: natsSchema.prefault({}),
  dataDir: text('expected the path of a folder')
    .default('.hact')
    .describe('Folder for what is kept on this machine. Relative to the working folder.'),
  model: modelSchema.prefault({}),
  providers: jsonOf(
    'expected for each provider, by its preset or the host of its address, {"requestsPerMinute": count, "tokensPerMinute": count}',
    providersSchema,
  )
    .default({})
    .describe('Limits of providers in any 60 s, for all workers together, by preset or host. Without one: none.'),
  budget: budgetSchema.prefault({}),
  limits: limitsSchema.prefault({}),
  tasks: z
    .strictObject({
      queues: listOf('expected names of queues out of letters, digits, "_" and "-"', lanePartPattern)
        .default([])
        .describe('Queues that tasks may name though no worker serves them now, like those scaled down to none.'),
      tenants: jsonOf(
        'expected for each tenant, or for "*", {"weight": …, "openTasks": …, "waitingAgents": …, "runningAgents": …}',
        tenantTableSchema,
      )
        .default({})
        .describe('Shares and limits of tenants, by name; `*` is for all that have none of their own.'),
    })
    .prefault({}),
  worker: z
    .strictObject({
      queues: listOf('expected names of queues out of letters, digits, "_" and "-"', lanePartPattern)
        .default([])
        .describe('Queues that the worker serves besides the default one of its roles.'),
      concurrency: wholeFrom(1, 10_000).default(64).describe('Agents advanced at once by one process, at most.'),
      firstConcurrency: wholeFrom(1, 10_000)
        .default(16)
        .describe('The same for a process that has just begun: it doubles every 100 ms, up to 64, while all are busy.'),
      fullLoadPercent: wholeFrom(1, 100)
        .default(90)
        .describe('Load of a process, in percent of one core, above which it takes fewer agents.'),
      leaseMs: wholeFrom(500, 600_000)
        .default(10_000)
        .describe('A host that is silent for this long has lost its agents.'),
      drainMs: wholeFrom(0, 600_000).default(15_000).describe('Time to bring running steps to an end on SIGTERM.'),
    })
    .prefault({}),
  files: z
    .strictObject({
      roots: listOf('expected folders, separated by commas')
        .default(['.'])
        .describe('Folders below which tools may read and write.'),
    })
    .prefault({}),
  approval: z
    .strictObject({
      policy: oneOf(['auto', 'risky', 'all'])
        .default('risky')
        .describe('Who is asked before a tool call: nobody, a human for risky calls, a human for every call.'),
      timeoutMs: wholeFrom(1_000).default(1_800_000).describe('A call that nobody decides on for this long is denied.'),
    })
    .prefault({}),
  audit: z
    .strictObject({
      key: text('expected 64 hex digits, like those of: openssl rand -hex 32', /^[0-9a-fA-F]{64}$/)
        .optional()
        .describe('Key of the audit log. With one, workers keep a log in the data folder; without one, there is none.'),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: oneOf(logLevels)
        .default('info')
        .describe(`Least level that is written: ${logLevels.join(', ')}.`),
      file: text('expected the path of a file').optional().describe('Log file. Without one, standard error.'),
    })
    .prefault({}),
  inspector: z
    .strictObject({
      host: text('expected an address of this machine, like 127.0.0.1')
        .default('127.0.0.1')
        .describe('Address that the inspector listens on.'),
      port: wholeFrom(0, 65_535).default(4_280).describe('Port of the inspector; 0 is any free one.'),
    })
    .prefault({}),
  telemetry: z
    .strictObject({
      otlpEndpoint: httpUrl()
        .optional()
        .describe('OpenTelemetry collector. Read and shown; this version exports no traces yet.'),
    })
    .prefault({}),
});

export type Settings = z.output<typeof settingsSchema>;
