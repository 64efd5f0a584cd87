/**
 * Puts a worker together out of its parts: everything it reaches the world by comes in from outside, so that the
 * simulator runs the same construction on a bus, a clock and a model of its own.
 */
import type { AgentDefinition } from '../../agents/definition.js';
import { createRole } from '../../agents/role.js';
import type { AgentServices } from '../../agents/services.js';
import type { Settings } from '../config/settings.js';
import type { Control } from '../control/control.js';
import { queueRefusal } from '../control/queues.js';
import { serveControl } from '../control/service.js';
import { FailureError, ok, type Result } from '../domain/failure.js';
import type { QueueName } from '../domain/lane.js';
import { limitsOf } from '../domain/tenant.js';
import { type HostOptions, startHost } from '../host/host.js';
import type { Model } from '../llm/model.js';
import type { Logger } from '../observe/log.js';
import { createLearner, type LearnerOptions } from '../parse/learn/learner.js';
import type { MarkerTable } from '../parse/markers.js';
import type { Redactor } from '../safety/redact.js';
import type { Trail } from '../safety/trail.js';
import { createBreakers } from '../tools/breaker.js';
import { createCache } from '../tools/cache.js';
import { shareLessons } from './lessons.js';
import { policyFrom } from './policy.js';

export interface WorkerParts {
  /** Bus and clock of the worker too. */
  readonly control: Control;
  readonly settings: Settings;
  /** Subject-safe and unique for every process that ever runs. */
  readonly hostId: string;
  /** The roles it hosts. */
  readonly agents: readonly AgentDefinition[];
  readonly model: Model;
  readonly smallModel?: Model;
  readonly markers: MarkerTable;
  readonly corpus: LearnerOptions['corpus'];
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly trail: Trail;
  /** 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Share of time, 0 to 1, that the event loop was busy since the last call. */
  readonly load: () => number;
  readonly concurrency: number;
  /** Served besides the default one of each role. */
  readonly queues?: readonly QueueName[];
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

export async function assembleWorker(parts: WorkerParts): Promise<Result<Worker>> {
  const { agents, control, corpus, hostId, log, markers, settings } = parts;
  const { bus, clock } = control;
  const lessons = shareLessons(bus.buckets.lesson, (failure) => log.warn('lessons', { failure }));
  const services: AgentServices = {
    ...servicesFrom(parts),
    learner: createLearner({ store: lessons, corpus, alertAfter, markers }),
    alert: (about, text) =>
      bus.feed.publish({ v: 1, kind: 'alerted', ...about, seq: 0, at: clock.now(), host: hostId, text }),
  };
  let roles: HostOptions['roles'];
  try {
    roles = agents.map((definition) => createRole(definition, services, policyFrom(settings)));
  } catch (error) {
    await lessons.close();
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    throw error;
  }
  const served = await serveControl(control);
  if (!served.ok) {
    await lessons.close();
    return served;
  }
  const host = startHost(hostOptions(parts, roles));
  return ok({
    hostId,
    hosted: host.hosted,
    async drain() {
      await served.value();
      await host.drain();
      await lessons.close();
    },
  });
}

function servicesFrom(parts: WorkerParts): AgentServices {
  const { control, log, model, random, redactor, settings, smallModel, trail } = parts;
  const { bus, clock } = control;
  const now = () => clock.elapsed();
  return {
    model,
    ...(smallModel === undefined ? {} : { smallModel }),
    clock,
    log,
    dispatch: {
      timing: clock,
      random,
      cache: createCache({ now }),
      breakers: createBreakers({ now }),
      putBlob: (bytes) => bus.blobs.put(bytes),
      warn: (message, details) => log.warn(message, details),
    },
    roots: settings.files.roots,
    temperature: settings.model.temperature,
    parallelCalls: settings.limits.parallelCalls,
    mostBridges: settings.model.bridges,
    queueRefusal: (role, queue) => queueRefusal(control, role, queue),
    claimLimits: { numbers: settings.limits.claimNumbers, reportChars: settings.limits.claimChars },
    redactor,
    trail,
  };
}

function hostOptions(parts: WorkerParts, roles: HostOptions['roles']): HostOptions {
  const { concurrency, control, hostId, load, log, queues = [], settings } = parts;
  const { worker, limits } = settings;
  return {
    bus: control.bus,
    clock: control.clock,
    hostId,
    roles,
    queues,
    terms: (tenant) => {
      const { runningAgents, weight } = limitsOf(settings.tasks.tenants, tenant);
      return { weight, running: runningAgents };
    },
    concurrency,
    firstConcurrency: worker.firstConcurrency,
    fullLoad: worker.fullLoadPercent / 100,
    load,
    leaseMs: worker.leaseMs,
    watchMs,
    reconcileMs,
    poisonAttempts: limits.attempts,
    drainMs: worker.drainMs,
    onFailure: (failure, agentId) => log.warn('host', { failure, agent: agentId }),
    onBug: (error, where) => log.error('bug', { where, error }),
  };
}
