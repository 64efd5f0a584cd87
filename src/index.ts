/** The package's door: define tools and agents, run a worker in a program of your own, submit tasks and steer them. */

import type { Worker } from './app/assemble.js';
import { openRuntime, type Runtime, type ServerInfo } from './app/runtime.js';
import { settingsHere } from './app/settings.js';
import { runWorker, type WorkerOptions } from './app/worker.js';
import type { Surroundings } from './config/load.js';
import type { Client } from './control/client.js';
import { FailureError, type Result } from './domain/failure.js';

export { type AgentDefinition, type AgentOptions, defineAgent } from '../agents/definition.js';
export type { Client } from './control/client.js';
export type { FeedEvent } from './domain/event.js';
export { type Failure, FailureError, type FailureKind } from './domain/failure.js';
export type { Report } from './domain/report.js';
export type { SubmissionInput as Submission, TaskRecord } from './domain/task.js';
export { extendMarkers } from './parse/extend.js';
export { MARKERS, type MarkerTable } from './parse/markers.js';
export { correctThought, THOUGHT_CUES } from './parse/reasoning/classify.js';
export type { ThoughtCues, ThoughtType } from './parse/reasoning/cues.js';
export type { ReasoningTree, ThoughtNode } from './parse/reasoning/tree.js';
export { type ParsedCall, parseReply, type Reply, type ReplyInput } from './parse/reply.js';
export { askUser, controlTools, delegateTask, finish, steerSubtask } from './tools/builtin/control.js';
export { fileTools } from './tools/builtin/files.js';
export { tableTools } from './tools/builtin/table/tools.js';

export { defineTool, type Tool, type ToolContext } from './tools/tool.js';
export { toolFailure } from './tools/tool-failure.js';

export interface ConnectOptions {
  /** Settings by name, above environment and files: `{ 'nats.url': 'nats://…', 'model.name': '…' }`. */
  readonly settings?: Surroundings['flags'];
  /** Start a nats-server on loopback when none is set or running. Default false. */
  readonly startServer?: boolean;
}

export type Connection = Client & { close(): Promise<void> };

export type WorkerHandle = Worker & {
  /** The client on the worker's own connection. */
  readonly client: Client;
  readonly server: ServerInfo;
  /** Drains and closes the connection. */
  stop(): Promise<void>;
};

/** Connects to Hermes as a client. Throws a `FailureError` in words. */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const runtime = await open(options, false);
  return { ...runtime.client, close: () => runtime.close() };
}

/** Hosts agents in this process. Throws a `FailureError` in words. */
export async function startWorker(options: ConnectOptions & WorkerOptions = {}): Promise<WorkerHandle> {
  const runtime = await open(options, true);
  const worker = await runWorker(runtime, options);
  if (!worker.ok) await runtime.close();
  const handle = orThrow(worker);
  return {
    ...handle,
    client: runtime.client,
    server: runtime.server,
    async stop() {
      await handle.drain();
      await runtime.close();
    },
  };
}

async function open({ settings, startServer = false }: ConnectOptions, updateStreams: boolean): Promise<Runtime> {
  const loaded = orThrow(await settingsHere(settings));
  return orThrow(await openRuntime(loaded.settings, { startServer, updateStreams }));
}

function orThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new FailureError(result.failure);
}
