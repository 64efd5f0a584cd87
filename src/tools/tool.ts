/** How a tool is written: one `defineTool` gives name, description, schema, validation, and how the call is carried out. */
import type { z } from 'zod';
import type { EffectClass } from '../domain/effect.js';
import { FailureError } from '../domain/failure.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { Delegation, Steering } from '../domain/plan.js';
import type { ToolDeclaration } from '../domain/tool.js';
import { type ArgumentsSchema, wrongSchema } from './schema.js';
import { foreignSchema } from './schema-foreign.js';
import { isZod, zodSchema } from './schema-zod.js';
import { toolFailure } from './tool-failure.js';

/** What a running tool knows of its surroundings. */
export interface ToolContext {
  /** Aborts on timeout and on cancel. A tool that ignores it is left behind: its late result is dropped. */
  readonly signal: AbortSignal;
  /** The same for every attempt of one call, also after a crash. Hand it to services that recognise repeats. */
  readonly idempotencyKey: string;
  readonly taskId: string;
  readonly agentId: string;
  readonly callId: string;
  /** Absolute folders below which files may be touched. Relative paths are relative to the first. */
  readonly roots: readonly string[];
  /** ms since 1970. */
  now(): number;
  /** Tells watchers what is going on. Never throws, never blocks. */
  progress(text: string): void;
}

/** What a result may have at most before it is cut. */
export interface ResultLimit {
  readonly chars: number;
  readonly lines: number;
}

export interface Finish {
  readonly result: Json;
  readonly summary: string;
  readonly status: 'done' | 'partial' | 'failed';
}

/** How a call is carried out, by route. Arguments have passed the schema's check. */
export type Behaviour =
  | { readonly route: 'tool'; run(args: JsonObject, context: ToolContext): unknown }
  | { readonly route: 'delegate'; delegation(args: JsonObject): Delegation }
  | { readonly route: 'steer'; steering(args: JsonObject): Steering }
  | { readonly route: 'ask'; question(args: JsonObject): string }
  | { readonly route: 'finish'; finish(args: JsonObject): Finish };

export interface Tool {
  readonly declaration: ToolDeclaration;
  readonly schema: ArgumentsSchema;
  readonly behaviour: Behaviour;
  readonly timeoutMs: number;
  /** Further attempts after a first one that failed in a way that may pass. Unsafe tools have none. */
  readonly retries: number;
  readonly limit: ResultLimit;
  /** How to get what was cut off, in words for the model. */
  readonly rest: string;
  /** Its results are never dropped from the prompt. */
  readonly critical: boolean;
  /** Names of arguments that hold file paths: the gate refuses those outside the roots before anybody is asked. */
  readonly paths: readonly string[];
  /** Whether it can be used now. */
  available(): boolean;
}

/** A zod object, or a JSON Schema object as MCP servers and OpenAI tools have it. */
export type Parameters = z.ZodObject | JsonObject;
/** What `run` gets: the schema's output type, or plain JSON. */
export type ArgumentsOf<S extends Parameters> = S extends z.ZodType ? z.output<S> : JsonObject;

interface Head<S extends Parameters> {
  /** Letters, digits, `_` and `-`, at most 64 characters, beginning with a letter or `_`. */
  readonly name: string;
  readonly description: string;
  readonly parameters: S;
  /** Sample arguments, shown to the model. */
  readonly examples?: readonly JsonObject[];
  /** What a call does to the world. Absent: `unsafe`, it is never repeated without asking. */
  readonly effect?: EffectClass;
  readonly destructive?: boolean;
  readonly network?: boolean;
  /** Ask a human first, unless the task's approval policy is `auto`. Absent: as `destructive`. */
  readonly confirm?: boolean;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /** Default 2; not for unsafe tools. */
  readonly retries?: number;
  /** Default 2,000 characters and 50 lines. */
  readonly result?: Partial<ResultLimit>;
  readonly rest?: string;
  readonly critical?: boolean;
  readonly paths?: readonly string[];
  readonly available?: () => boolean;
}

type Body<A> =
  | { readonly route?: 'tool'; run(args: A, context: ToolContext): unknown }
  | { readonly route: 'delegate'; delegation(args: A): Delegation }
  | { readonly route: 'steer'; steering(args: A): Steering }
  | { readonly route: 'ask'; question(args: A): string }
  | { readonly route: 'finish'; finish(args: A): Finish };

export type ToolDefinition<S extends Parameters> = Head<S> & Body<ArgumentsOf<S>>;

export const toolNamePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Names every object has: a careless lookup would find them. */
const reservedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Why a name cannot be a tool's, in words; undefined when it can. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string') return `a tool name must be text, not ${typeof name}`;
  if (!toolNamePattern.test(name)) {
    return `tool name ${JSON.stringify(name)} must be 1 to 64 letters, digits, "_" or "-" and begin with a letter or "_"`;
  }
  if (reservedNames.has(name)) return `tool name ${JSON.stringify(name)} is reserved by JavaScript`;
  return undefined;
}

/** Makes a tool. Throws a `FailureError` in words when the definition itself is wrong: that is a bug of its author. */
export function defineTool<const S extends Parameters>(definition: ToolDefinition<S>): Tool {
  const problem = nameProblem(definition.name) ?? numbersProblem(definition);
  if (problem !== undefined) throw new FailureError({ kind: 'invalid_config', message: problem });
  const schema = schemaOf(definition.name, definition.parameters);
  const effect = definition.effect ?? 'unsafe';
  const destructive = definition.destructive ?? false;
  const behaviour = behaviourOf(definition, schema);
  const limit = { chars: definition.result?.chars ?? 2000, lines: definition.result?.lines ?? 50 };
  return {
    declaration: {
      name: definition.name,
      description: describe(definition, behaviour.route === 'tool' ? limit : undefined),
      parameters: schema.declared,
      effect,
      destructive,
      network: definition.network ?? false,
      confirm: definition.confirm ?? destructive,
      route: behaviour.route,
    },
    schema,
    behaviour,
    timeoutMs: definition.timeoutMs ?? 30_000,
    retries: effect === 'unsafe' ? 0 : (definition.retries ?? 2),
    limit,
    rest: definition.rest ?? 'ask for less: narrower arguments give a smaller result',
    critical: definition.critical ?? false,
    paths: definition.paths ?? [],
    available: definition.available ?? (() => true),
  };
}

function schemaOf(tool: string, parameters: Parameters): ArgumentsSchema {
  if (isZod(parameters)) return zodSchema(tool, parameters);
  if (typeof parameters === 'object' && parameters !== null && '_def' in parameters) {
    throw wrongSchema(tool, 'are of an older zod', 'use zod 4, or hand over JSON Schema');
  }
  return foreignSchema(tool, parameters);
}

function numbersProblem(definition: Head<Parameters>): string | undefined {
  const { name, timeoutMs = 1, retries = 0, result } = definition;
  const inRange = (value: number, least: number, most: number): boolean =>
    Number.isFinite(value) && value >= least && value <= most;
  if (!inRange(timeoutMs, 1, 3_600_000)) return `timeoutMs of tool ${name} must be between 1 and 3,600,000`;
  if (!inRange(retries, 0, 10) || !Number.isInteger(retries)) return `retries of tool ${name} must be 0 to 10`;
  if (!inRange(result?.chars ?? 2000, 300, 200_000)) return `result.chars of tool ${name} must be 300 to 200,000`;
  if (!inRange(result?.lines ?? 50, 3, 10_000)) return `result.lines of tool ${name} must be 3 to 10,000`;
  return undefined;
}

/** The text the model reads: what the tool does, how much comes back, samples. */
function describe(definition: Head<Parameters>, limit: ResultLimit | undefined): string {
  const lines = [definition.description.trim()];
  if (limit !== undefined) {
    const chars = limit.chars.toLocaleString('en-US');
    lines.push(`Results are cut at ${chars} characters or ${limit.lines} lines.`);
  }
  for (const example of definition.examples ?? []) lines.push(`Example: ${JSON.stringify(example)}`);
  return lines.join('\n');
}

/** Ties the typed functions of a definition to the schema that makes their arguments. */
function behaviourOf<S extends Parameters>(definition: ToolDefinition<S>, schema: ArgumentsSchema): Behaviour {
  const typed = (args: JsonObject): ArgumentsOf<S> => {
    const parsed = schema.parse(args);
    if (!parsed.ok) throw toolFailure(parsed.failure);
    // The schema was built from `parameters`, so its output is of this type.
    return parsed.value as ArgumentsOf<S>;
  };
  switch (definition.route) {
    case 'delegate':
      return { route: 'delegate', delegation: (args) => definition.delegation(typed(args)) };
    case 'steer':
      return { route: 'steer', steering: (args) => definition.steering(typed(args)) };
    case 'ask':
      return { route: 'ask', question: (args) => definition.question(typed(args)) };
    case 'finish':
      return { route: 'finish', finish: (args) => definition.finish(typed(args)) };
    default:
      return { route: 'tool', run: (args, context) => definition.run(typed(args), context) };
  }
}
