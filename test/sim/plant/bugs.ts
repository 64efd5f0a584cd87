/** Planted bugs: faults that the product must not have, made by changing what passes through a process's ports. */

import { ok } from '../../../src/domain/failure.js';
import type { JournalRecord, RecordOf } from '../../../src/domain/journal.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import { noSeams, type Seams } from '../cast/stage.js';
import type { LayerName } from './layers.js';
import { appending, losing, onBucket, onBus, onInbox, onJournal, readingBack, runningTools, sending } from './wrap.js';

export interface PlantedBug {
  readonly seams: Seams;
  /** Layers that may hide it: it must be caught when they are off. Empty: caught with every layer on. */
  readonly behind: readonly LayerName[];
}

const bare = (seams: Seams): PlantedBug => ({ seams, behind: [] });

const changeSteps =
  (change: (step: RecordOf<'step'>) => Partial<RecordOf<'step'>>) =>
  (record: JournalRecord): JournalRecord =>
    record.kind === 'step' ? { ...record, ...change(record) } : record;

const isPart = (record: JournalRecord, state: 'begun' | 'settled'): boolean =>
  record.kind === 'part' && record.state === state;

export const bugs: Readonly<Record<string, PlantedBug>> = {
  // the journal
  'no fence': bare(
    onJournal(({ append, read }) => ({
      append: async (agentId, record) => {
        const records = await read(agentId, 0);
        return records.ok ? append(agentId, record, records.value.at(-1)?.seq ?? 0) : records;
      },
    })),
  ),
  'a call is begun before that is recorded': bare(
    onJournal(({ append }) => ({
      append: async (agentId, record, after) => (isPart(record, 'begun') ? ok(after) : append(agentId, record, after)),
    })),
  ),
  'a call that was begun is forgotten': bare(
    readingBack((record) =>
      isPart(record, 'begun') ? { v: 1, kind: 'released', epoch: record.epoch, at: record.at } : record,
    ),
  ),
  'outcomes are said to be recorded and are not': bare(
    onJournal(({ append }) => ({
      append: async (agentId, record, after) =>
        isPart(record, 'settled') ? ok(after + 1) : append(agentId, record, after),
    })),
  ),
  'acknowledged though the disk is full': bare(
    onJournal(({ append }) => ({
      append: async (agentId, record, after) => {
        const stored = await append(agentId, record, after);
        return !stored.ok && stored.failure.kind !== 'conflict' ? ok(after + 1) : stored;
      },
    })),
  ),
  'the newest record is not read': bare(
    onJournal(({ read }) => ({
      read: async (agentId, after) => {
        const records = await read(agentId, after);
        return records.ok && records.value.length > 2 ? ok(records.value.slice(0, -1)) : records;
      },
    })),
  ),
  'refund on crash': bare(
    readingBack(changeSteps(({ events }) => ({ events: events.filter(({ type }) => type !== 'host.recovered') }))),
  ),
  'the owner before is believed to be alive': bare(
    appending((record) => (record.kind === 'epoch' ? { ...record, epoch: Math.max(1, record.epoch - 1) } : record)),
  ),
  // the inbox
  'the cursor is moved early': bare(appending(changeSteps(({ inbox }) => ({ inbox: inbox + 1 })))),
  'cleared at rest': bare(
    onBus(({ buckets, inbox }) => ({
      buckets: {
        ...buckets,
        agent: {
          ...buckets.agent,
          put: async (key, value) => {
            await inbox.clear(key as never);
            return buckets.agent.put(key, value);
          },
        },
      },
    })),
  ),
  'reports are lost': bare(losing('child.reported')),
  'cancel is not propagated': bare(losing('parent.ended')),
  'cancel is lost': bare(losing('task.cancelled')),
  'a denial counts as leave': bare(
    sending((message) => (message.type === 'human.decided' ? { ...message, allow: true } : message)),
  ),
  'a slice is not taken from the giver': bare(
    sending((message) =>
      message.type === 'task.ordered'
        ? {
            ...message,
            order: {
              ...message.order,
              budget: { ...message.order.budget, rounds: 60, toolCalls: 60, tokens: 900_000 },
            },
          }
        : message,
    ),
  ),
  'arrivals are not heard': {
    seams: onInbox(() => ({ onArrival: () => () => undefined })),
    behind: ['redelivery', 'reconciler'],
  },
  // snapshots and results
  'the snapshot is ahead of the journal': bare(
    onBucket('agent', (agent) => ({
      put: (key, value) =>
        agent.put(
          key,
          changed(value, ({ seq }) => ({ seq: Number(seq) + 1 })),
        ),
    })),
  ),
  'an agent at rest counts as ended': bare(
    onBucket('agent', (agent) => ({
      put: (key, value) =>
        agent.put(
          key,
          changed(value, () => ({ ended: true })),
        ),
    })),
  ),
  'a result is written each time it is sent': bare(
    onBucket('task', (task) => ({
      get: async (key) => {
        const found = await task.get(key);
        const state = found.ok ? (found.value?.value as JsonObject | undefined)?.state : undefined;
        return found.ok && found.value && state === 'ended'
          ? ok({ ...found.value, value: changed(found.value.value, () => ({ endedAt: found.value?.seq ?? 0 })) })
          : found;
      },
    })),
  ),
  'the key of a submission is not kept': bare(
    onBucket('task', (task) => ({
      create: (key, value) => (key.startsWith('key.') ? task.put(key, value) : task.create(key, value)),
    })),
  ),
  'accepted before it is stored': bare(
    onInbox(({ put }) => ({
      put: async (agentId, message) => {
        const stored = await put(agentId, message);
        return stored.ok || message.type !== 'task.ordered' ? stored : ok(1);
      },
    })),
  ),
  // people
  'leave is not asked': bare({
    ...noSeams,
    tool: (tool) => ({ ...tool, declaration: { ...tool.declaration, confirm: false, destructive: false } }),
  }),
  'shown is something else than runs': bare(
    onBucket('approval', (approval) => ({
      put: (key, value) =>
        approval.put(
          key,
          changed(value, () => ({ arguments: { n: -1 } })),
        ),
    })),
  ),
  // tools and the model
  'an unsafe tool counts as idempotent': bare({
    ...noSeams,
    tool: (tool) =>
      tool.declaration.effect === 'unsafe'
        ? { ...tool, retries: 2, declaration: { ...tool.declaration, effect: 'idempotent' } }
        : tool,
  }),
  'a repeat has another key': bare(
    runningTools((run, context) => run({ ...context, idempotencyKey: `${context.idempotencyKey}.${context.now()}` })),
  ),
  'a failure is reported as a success': bare(
    runningTools(async (run, context) => {
      try {
        return await run(context);
      } catch {
        return { done: true };
      }
    }),
  ),
  'dependencies are not waited for': bare({
    ...noSeams,
    tool: (tool) => {
      const { behaviour } = tool;
      if (behaviour.route !== 'delegate') return tool;
      return {
        ...tool,
        behaviour: { route: 'delegate', delegation: (args) => ({ ...behaviour.delegation(args), dependsOn: [] }) },
      };
    },
  }),
  'what the model bills is not counted': bare({
    ...noSeams,
    model: (model) => ({
      ...model,
      call: async (request, options) => {
        const outcome = await model.call(request, options);
        return { ...outcome, usage: { ...outcome.usage, inputTokens: 0, outputTokens: 0, costUsd: 0 } };
      },
    }),
  }),
  // time and wakes
  'the clock stands still': bare({ ...noSeams, clock: (clock) => ({ ...clock, now: () => Date.UTC(2026, 9, 1) }) }),
  'timers are lost': bare(onBus(({ timers }) => ({ timers: { ...timers, set: async () => ok(undefined) } }))),
  'wakes are acknowledged before the work': {
    seams: onBus(({ wakes }) => ({
      wakes: {
        ...wakes,
        consume: (role, options, deliver) =>
          wakes.consume(role, options, (wake) => {
            wake.ack();
            deliver({ ...wake, ack: () => undefined, giveBack: () => undefined, extend: () => undefined });
          }),
      },
    })),
    behind: ['reconciler', 'sweep'],
  },
  'wakes are lost': {
    seams: onBus(({ wakes }) => ({ wakes: { ...wakes, put: async () => ok(undefined) } })),
    behind: ['reconciler'],
  },
};

/** Values of buckets are JSON objects. */
const changed = (value: Json, change: (value: JsonObject) => JsonObject): Json => ({
  ...(value as JsonObject),
  ...change(value as JsonObject),
});
