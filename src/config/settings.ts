/** All settings: one schema with every default. Names carry their unit; what a person may leave out is optional. */
import { z } from 'zod';
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
export type ModelPreset = (typeof modelPresets)[number];

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

const price = z.number().nonnegative();
/** US dollars for a million tokens, by model name; stands above the built-in table. */
const pricesSchema = z.record(
  z.string(),
  z.strictObject({
    inputPerMillion: price,
    outputPerMillion: price,
    cachedInputPerMillion: price.optional(),
  }),
);

const natsSchema = z.strictObject({
  /** Absent: Hermes starts a server of its own on loopback. */
  url: text('expected server addresses, separated by commas, like nats://127.0.0.1:4222').optional(),
  creds: text('expected the path of a credentials file').optional(),
  token: text().optional(),
  prefix: text(
    'expected words of letters, digits, "_" and "-", joined by dots, like hact.v1',
    /^[\w-]{1,64}(?:\.[\w-]{1,64}){0,4}$/,
  ).default('hact.v1'),
  /** The nats-server program for the embedded server; absent: it is looked for. */
  server: text('expected the path of the nats-server program').optional(),
});

const modelSchema = z.strictObject({
  preset: oneOf(modelPresets).optional(),
  baseUrl: httpUrl().optional(),
  /** As the provider calls it. Also `<preset>`, `<preset>/<name>` (when no address is given), or an address. */
  name: text().optional(),
  apiKey: text().optional(),
  /** Environment variable that holds the key, instead of the preset's usual one. */
  keyVariable: text('expected the name of an environment variable', /^[A-Za-z_]\w*$/).optional(),
  /** Models to turn to, in this order, when the first cannot answer: `<preset>/<name>`, or a name at the same provider. */
  fallback: listOf('expected model names, separated by commas').default([]),
  /** For repairs and summaries; absent: the main model. */
  small: text().optional(),
  temperature: numberFrom(0, 2).default(0.3),
  maxOutputTokens: wholeFrom(16).default(2_048),
  stream: yesOrNo().default(true),
  /** For one request, its retries not counted. */
  timeoutMs: wholeFrom(100).default(120_000),
  /** Absent: what is known of the model. */
  windowTokens: wholeFrom(1_024).optional(),
  prices: jsonOf(
    'expected for each model {"inputPerMillion": dollars, "outputPerMillion": dollars}',
    pricesSchema,
  ).default({}),
});

const budgetSchema = z.strictObject({
  tokens: wholeFrom(1).default(200_000),
  usd: numberFrom(0, 1_000_000).default(1),
  /** For tasks of every kind; absent: by kind. */
  rounds: wholeFrom(1).optional(),
  roundsByKind: z
    .strictObject({
      question: wholeFrom(1).default(5),
      general: wholeFrom(1).default(20),
      coding: wholeFrom(1).default(30),
    })
    .prefault({}),
  seconds: numberFrom(1, 31_536_000).default(1_800),
  toolCalls: wholeFrom(0).default(100),
  children: wholeFrom(0).default(16),
});

const limitsSchema = z.strictObject({
  /** Levels of agents below the root. */
  depth: wholeFrom(0, 10).default(3),
  /** Children that one agent may have running at once. */
  fanOut: wholeFrom(1, 1_000).default(16),
  parallelCalls: wholeFrom(1, 100).default(5),
  /** Rounds between two reflections. */
  reflectEvery: wholeFrom(3, 5).default(4),
  /** The same action this often within so many rounds is no progress. */
  repetitionCount: wholeFrom(2, 100).default(3),
  repetitionWindow: wholeFrom(2, 100).default(5),
  /** Corrections of a tool name or of arguments before the round fails. */
  corrections: wholeFrom(0, 20).default(3),
  /** Attempts at one step before the agent is given up as poisoned. */
  attempts: wholeFrom(1, 100).default(5),
  /** Bigger payloads go to the blob store. */
  payloadBytes: wholeFrom(1_024, 1_048_576).default(262_144),
});

export const settingsSchema = z.strictObject({
  nats: natsSchema.prefault({}),
  dataDir: text('expected the path of a folder').default('.hact'),
  model: modelSchema.prefault({}),
  budget: budgetSchema.prefault({}),
  limits: limitsSchema.prefault({}),
  worker: z
    .strictObject({
      /** Agents advanced at once by one process. */
      concurrency: wholeFrom(1, 10_000).default(64),
      /** A host that is silent for this long has lost its agents. */
      leaseMs: wholeFrom(500, 600_000).default(10_000),
      /** Time to bring running steps to an end on SIGTERM. */
      drainMs: wholeFrom(0, 600_000).default(15_000),
    })
    .prefault({}),
  files: z
    .strictObject({
      /** Folders below which tools may read and write. */
      roots: listOf('expected folders, separated by commas').default(['.']),
    })
    .prefault({}),
  approval: z
    .strictObject({
      policy: oneOf(['auto', 'risky', 'all']).default('risky'),
      /** A call that nobody decides on for this long is denied. */
      timeoutMs: wholeFrom(1_000).default(1_800_000),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: oneOf(logLevels).default('info'),
      /** Absent: standard error. */
      file: text('expected the path of a file').optional(),
    })
    .prefault({}),
  inspector: z
    .strictObject({
      host: text('expected an address of this machine, like 127.0.0.1').default('127.0.0.1'),
      /** 0: any free port. */
      port: wholeFrom(0, 65_535).default(4_280),
    })
    .prefault({}),
  telemetry: z
    .strictObject({
      /** Where an OpenTelemetry collector listens. Traces are sent there by versions that have an exporter. */
      otlpEndpoint: httpUrl().optional(),
    })
    .prefault({}),
});

export type Settings = z.output<typeof settingsSchema>;
