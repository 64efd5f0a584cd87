/**
 * The wake queue: one work-queue stream with a durable consumer for each lane. The lanes of the default tenant
 * are there wherever a worker has served their role and queue; the others are opened when they are in use, see
 * `role-consumer.ts`. Putting a wake tells of its lane now and then, so that they hear of it at once.
 */
import { z } from 'zod';
import { ok, type Result } from '../domain/failure.js';
import { defaultTenant, laneOf, type TenantName } from '../domain/lane.js';
import type { WakeQueue } from './contract.js';
import { RoleConsumer } from './role-consumer.js';
import type { Store } from './store.js';
import { badToken, isToken, type Names } from './subject.js';

/** Well below the time after which workers close a lane that nobody uses. */
const tellAgainMs = 5_000;
const mostTold = 1_024;

/** @param ackWaitMs a wake that is neither acknowledged nor extended for this long is delivered again. */
export function wakeQueueOn(store: Store, names: Names, ackWaitMs: number): WakeQueue {
  const stream = names.streams.wake;
  const told = new Map<string, number>();

  const tell = (role: string, subject: string): void => {
    const now = performance.now();
    if (now - (told.get(subject) ?? Number.NEGATIVE_INFINITY) < tellAgainMs) return;
    if (told.size >= mostTold) told.clear();
    told.set(subject, now);
    store.wire.tell(names.lane(role), Buffer.from(subject));
  };

  return {
    put: async (given, agentId) => {
      const lane = laneOf(given);
      const { role, tenant } = lane;
      if (!isToken(role)) return { ok: false, failure: badToken('a role name', role) };
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      const subject = names.wake(lane);
      const stored = await store.write({ stream, subject }, Buffer.from(agentId));
      if (stored.ok && tenant !== undefined) tell(role, subject);
      return stored.ok ? ok(undefined) : stored;
    },
    waiting: (tenant) => waitingOf(store, names, tenant),
    consume: async (role, options, deliver) => {
      if (!isToken(role)) return options.onFailure(badToken('a role name', role));
      await new RoleConsumer({ store, names, role, ackWaitMs, options, deliver }).run();
    },
  };
}

const consumerSchema = z.looseObject({ num_pending: z.number() });

async function waitingOf(store: Store, names: Names, tenant: TenantName): Promise<Result<number>> {
  const stream = names.streams.wake;
  const filters = [
    names.wakes('*', tenant),
    ...(tenant === defaultTenant ? [names.wake({ role: '*', priority: '*' })] : []),
  ];
  const found = await Promise.all(filters.map((subject) => store.subjects({ stream, subject })));
  let waiting = 0;
  for (const subjects of found) {
    if (!subjects.ok) return subjects;
    for (const [subject, messages] of subjects.value) {
      const lane = names.laneOf(subject);
      if (lane === undefined) continue;
      const info = await store.api(`CONSUMER.INFO.${stream}.${names.consumer(lane)}`, {});
      // Where no worker has ever been, everything waits.
      waiting += info.ok ? (consumerSchema.safeParse(info.value).data?.num_pending ?? 0) : messages;
    }
  }
  return ok(waiting);
}
