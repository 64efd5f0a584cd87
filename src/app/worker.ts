/** A worker: a host for roles, with the model, the tools and the control service that come with it. */
import { randomBytes } from 'node:crypto';
import type { AgentDefinition } from '../../agents/definition.js';
import { createRole } from '../../agents/role.js';
import type { AgentServices } from '../../agents/services.js';
import { serveControl } from '../control/service.js';
import { FailureError, fail, ok, type Result } from '../domain/failure.js';
import { type HostOptions, startHost } from '../host/host.js';
import { systemClock } from '../observe/clock.js';
import { loadMeter } from '../observe/load.js';
import { createLearner } from '../parse/learn/learner.js';
import type { Trail } from '../safety/trail.js';
import { createBreakers } from '../tools/breaker.js';
import { createCache } from '../tools/cache.js';
import type { Tool } from '../tools/tool.js';
import { openTrail } from './audit.js';
import { shareLessons } from './lessons.js';
import { loadMarkers } from './markers.js';
import { modelFrom, smallModelFrom } from './model.js';
import { policyFrom } from './policy.js';
import { regressionRows } from './regression.js';
import { builtInAgents } from './roles.js';
import type { Runtime } from './runtime.js';

export interface WorkerOptions {
  /** Names of roles to host. Default: all that are known. */
  readonly roles?: readonly string[];
  readonly concurrency?: number;
  /** More tools for the built-in executor. */
  readonly tools?: readonly Tool[];
  /** Roles beside the built-in ones, or in place of one of the same name. */
  readonly agents?: readonly AgentDefinition[];
}

export interface Worker {
  readonly hostId: string;
  /** Agents at work now. */
  hosted(): readonly string[];
  /** Takes no more work, hands its agents over, and leaves. */
  drain(): Promise<void>;
}

/** How often each host looks whether the next one is still there. */
const watchMs = 250;
const reconcileMs = 15_000;
/** Replies in a row that hold unreadable calls: then a human is told. */
const alertAfter = 5;

export async function runWorker(runtime: Runtime, options: WorkerOptions = {}): Promise<Result<Worker>> {
  const definitions = choose(options);
  if (!definitions.ok) return definitions;
  const model = await modelFrom(runtime.settings);
  if (!model.ok) return model;
  const smallModel = await smallModelFrom(runtime.settings);
  if (!smallModel.ok) return smallModel;
  const markers = await loadMarkers(runtime.settings.model.markers);
  if (!markers.ok) return markers;
  const policy = policyFrom(runtime.settings);
  // The process id is for people who read the feed; the rest makes it unique for ever.
  const hostId = `h_${process.pid}_${randomBytes(6).toString('hex')}`;
  const trail = await openTrail(runtime, hostId);
  if (!trail.ok) return trail;
  const lessons = shareLessons(runtime.bus.buckets.lesson, (failure) =>
    runtime.log.logger.warn('lessons', { failure }),
  );
  const services: AgentServices = {
    ...servicesFrom(runtime, model.value, trail.value),
    learner: createLearner({ store: lessons, corpus: regressionRows(), alertAfter, markers: markers.value }),
    smallModel: smallModel.value,
    alert: (about, text) =>
      runtime.bus.feed.publish({ v: 1, kind: 'alerted', ...about, seq: 0, at: systemClock.now(), host: hostId, text }),
  };
  let roles: HostOptions['roles'];
  try {
    roles = definitions.value.map((definition) => createRole(definition, services, policy));
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    throw error;
  }
  const served = await serveControl(runtime.control);
  if (!served.ok) return served;
  const host = startHost(hostOptions(runtime, hostId, roles, options.concurrency));
  runtime.log.logger.info('worker started', {
    host: hostId,
    roles: roles.map(({ name }) => name),
    model: model.value.name,
  });
  return ok({
    hostId,
    hosted: host.hosted,
    async drain() {
      await served.value();
      await host.drain();
      await lessons.close();
      await Promise.all([model.value.close(), smallModel.value?.close()]);
    },
  });
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

function servicesFrom(
  { bus, log, redactor, settings }: Runtime,
  model: AgentServices['model'],
  trail: Trail,
): AgentServices {
  const now = () => systemClock.elapsed();
  return {
    model,
    clock: systemClock,
    log: log.logger,
    dispatch: {
      timing: systemClock,
      random: Math.random,
      cache: createCache({ now }),
      breakers: createBreakers({ now }),
      putBlob: (bytes) => bus.blobs.put(bytes),
      warn: (message, details) => log.logger.warn(message, details),
    },
    roots: settings.files.roots,
    temperature: settings.model.temperature,
    parallelCalls: settings.limits.parallelCalls,
    mostBridges: settings.model.bridges,
    redactor,
    trail,
  };
}

function hostOptions(
  { bus, log, settings }: Runtime,
  hostId: string,
  roles: HostOptions['roles'],
  concurrency?: number,
): HostOptions {
  const { worker, limits } = settings;
  return {
    bus,
    clock: systemClock,
    hostId,
    roles,
    concurrency: concurrency ?? worker.concurrency,
    fullLoad: worker.fullLoadPercent / 100,
    load: loadMeter(),
    leaseMs: worker.leaseMs,
    watchMs,
    reconcileMs,
    poisonAttempts: limits.attempts,
    drainMs: worker.drainMs,
    onFailure: (failure, agentId) => log.logger.warn('host', { failure, agent: agentId }),
    onBug: (error, where) => log.logger.error('bug', { where, error }),
  };
}
