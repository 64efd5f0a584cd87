/** A worker: a host for roles, with the model, the tools and the control service that come with it. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AgentDefinition } from '../../agents/definition.js';
import { fail, ok, type Result } from '../domain/failure.js';
import { defaultQueue, queueNameSchema } from '../domain/lane.js';
import { loadMeter } from '../observe/load.js';
import type { Tool } from '../tools/tool.js';
import { assembleWorker, type Worker, type WorkerParts } from './assemble.js';
import { openTrail } from './audit.js';
import { loadMarkers } from './markers.js';
import { modelFrom, smallModelFrom } from './model.js';
import { sharedGates } from './providers.js';
import { regressionRows } from './regression.js';
import { builtInAgents } from './roles.js';
import type { Runtime } from './runtime.js';

export interface WorkerOptions {
  /** Names of roles to host. Default: all that are known. */
  readonly roles?: readonly string[];
  /** Queues to serve besides the default one. Default: those of the settings. */
  readonly queues?: readonly string[];
  readonly concurrency?: number;
  /** More tools for the built-in executor. */
  readonly tools?: readonly Tool[];
  /** Roles beside the built-in ones, or in place of one of the same name. */
  readonly agents?: readonly AgentDefinition[];
}

export async function runWorker(runtime: Runtime, options: WorkerOptions = {}): Promise<Result<Worker>> {
  const { settings } = runtime;
  const agents = choose(options);
  if (!agents.ok) return agents;
  // The process id is for people who read the feed; the rest makes it unique for ever.
  const hostId = `h_${process.pid}_${randomBytes(6).toString('hex')}`;
  const gates = sharedGates(settings, runtime.bus, hostId, runtime.log.logger);
  const model = await modelFrom(settings, gates);
  if (!model.ok) return model;
  const smallModel = await smallModelFrom(settings, gates);
  const close = async (): Promise<void> => {
    await Promise.all([model.value.close(), smallModel.ok ? smallModel.value?.close() : undefined]);
    await gates.close();
  };
  const parts = { agents: agents.value, hostId, model: model.value };
  const worker = smallModel.ok
    ? await startWith(runtime, options, { ...parts, smallModel: smallModel.value })
    : smallModel;
  if (!worker.ok) {
    await close();
    return worker;
  }
  return ok({
    ...worker.value,
    async drain() {
      await worker.value.drain();
      await close();
    },
  });
}

async function startWith(
  runtime: Runtime,
  options: WorkerOptions,
  parts: Pick<WorkerParts, 'agents' | 'hostId' | 'model' | 'smallModel'>,
): Promise<Result<Worker>> {
  const { control, log, redactor, settings } = runtime;
  const queues = z.array(queueNameSchema).safeParse(options.queues ?? settings.worker.queues);
  if (!queues.success) return fail('invalid_config', `a worker’s queues: expected ${queues.error.issues[0]?.message}`);
  const markers = await loadMarkers(settings.model.markers);
  if (!markers.ok) return markers;
  const { hostId } = parts;
  const trail = await openTrail(runtime, hostId);
  if (!trail.ok) return trail;
  const worker = await assembleWorker({
    ...parts,
    control,
    settings,
    markers: markers.value,
    corpus: regressionRows(),
    log: log.logger,
    redactor,
    trail: trail.value,
    random: Math.random,
    load: loadMeter(),
    concurrency: options.concurrency ?? settings.worker.concurrency,
    queues: queues.data.filter((queue) => queue !== defaultQueue),
  });
  const roles = parts.agents.map(({ name }) => name);
  if (worker.ok)
    log.logger.info('worker started', { host: hostId, roles, queues: queues.data, model: parts.model.name });
  return worker;
}

function choose({ agents = [], roles, tools = [] }: WorkerOptions): Result<AgentDefinition[]> {
  const known = new Map(builtInAgents(tools).map((definition) => [definition.name as string, definition]));
  for (const definition of agents) known.set(definition.name, definition);
  const wanted = roles ?? [...known.keys()];
  const missing = wanted.filter((name) => !known.has(name));
  if (missing.length > 0 || wanted.length === 0) {
    return fail(
      'invalid_config',
      `no role is named ${missing.join(', ')}`,
      `known roles: ${[...known.keys()].join(', ')}`,
    );
  }
  return ok(wanted.flatMap((name) => known.get(name) ?? []));
}
