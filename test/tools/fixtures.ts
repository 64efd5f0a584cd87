/** Virtual time, a call, and the surroundings of a dispatch, for the tests of this folder. */
import { z } from 'zod';
import type { PlannedCall } from '../../src/domain/call.js';
import type { Clock } from '../../src/domain/clock.js';
import type { EffectClass } from '../../src/domain/effect.js';
import type { ApprovalId } from '../../src/domain/id.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { DispatchOptions } from '../../src/tools/dispatch.js';
import { callHash } from '../../src/tools/hash.js';
import { defineTool, type Tool, type ToolContext } from '../../src/tools/tool.js';

export interface VirtualTiming extends Clock {
  /** Lets time pass from sleeper to sleeper until the promise has settled. */
  until<T>(promise: Promise<T>): Promise<T>;
  advance(ms: number): void;
  readonly slept: number[];
}

export function virtualTiming(start = 1_000_000): VirtualTiming {
  let now = start;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const slept: number[] = [];
  const wakeUntil = (at: number): void => {
    now = at;
    for (const sleeper of [...sleepers]) if (sleeper.at <= at) sleeper.wake();
  };
  return {
    slept,
    now: () => now,
    elapsed: () => now,
    after: (ms, callback) => {
      const sleeper = {
        at: now + ms,
        wake: () => {
          sleepers.delete(sleeper);
          callback();
        },
      };
      sleepers.add(sleeper);
      return () => sleepers.delete(sleeper);
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        slept.push(ms);
        const sleeper = {
          at: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        if (signal?.aborted === true) return resolve();
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake, { once: true });
      }),
    advance: (ms) => wakeUntil(now + ms),
    until: async (promise) => {
      let settled = false;
      const done = promise.finally(() => {
        settled = true;
      });
      while (!settled) {
        await new Promise((resolve) => setImmediate(resolve));
        if (settled) break;
        const next = Math.min(...[...sleepers].map((sleeper) => sleeper.at));
        if (Number.isFinite(next)) wakeUntil(next);
      }
      return done;
    },
  };
}

export const callOf = (tool: Tool, args: JsonObject = {}, callId = 'r1c1'): PlannedCall => ({
  callId,
  name: tool.declaration.name,
  arguments: args,
  hash: callHash(tool.declaration.name, args),
  action: { route: 'tool' },
  effect: tool.declaration.effect,
  needsApproval: false,
  requestId: 'apr_t1_1' as ApprovalId,
  confidence: 1,
  repairs: [],
});

export const around = (timing: Clock, more: Partial<DispatchOptions> = {}): DispatchOptions => ({
  timing,
  random: () => 0.5,
  signal: new AbortController().signal,
  taskId: 't1',
  agentId: 't1-2',
  roots: ['/data'],
  ...more,
});

type Run = (args: JsonObject, context: ToolContext) => unknown;

/** A tool named `probe` that takes anything. */
export const toolOf = (run: Run, effect: EffectClass = 'read', more: object = {}): Tool =>
  defineTool({ name: 'probe', description: 'p', parameters: z.looseObject({}), effect, ...more, run });
