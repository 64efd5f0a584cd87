/**
 * Timers on JetStream: each is a message of one work queue, shared by all hosts. A timer that is not due is given back
 * with the time that is left as its delay, so it rests on the server and is fired by whoever lives then.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ok } from '../domain/failure.js';
import { agentIdSchema, roleNameSchema } from '../domain/id.js';
import { prioritySchema } from '../domain/task.js';
import { ensureConsumer } from './consumer.js';
import type { Timers } from './contract.js';
import { acknowledged, type Delivery, givenBack, Puller, type PullSource } from './pull.js';
import type { Store } from './store.js';
import type { Names } from './subject.js';
import { decodeAs, encode } from './text.js';

const timerSchema = z.object({
  agentId: agentIdSchema,
  name: z.string().min(1).max(300),
  dueAt: z.number(),
  role: roleNameSchema,
  priority: prioritySchema,
});
type Timer = z.infer<typeof timerSchema>;

const ackWaitMs = 30_000;
const maxAckPending = 1_000_000;
const width = 64;
const expiresMs = 30_000;
/** A timer due this soon is held here: the server's delays are exact to some ten milliseconds. */
const holdMs = 100;
const longestDelayMs = 6 * 3_600_000;
const retryMs = 1_000;

export function timersOn(store: Store, names: Names): Timers {
  const source: PullSource = { stream: names.streams.timer, consumer: 'timers' };
  return {
    set: async (timer) => {
      const stored = await store.write({ stream: source.stream, subject: names.timer }, encode(timer));
      return stored.ok ? ok(undefined) : stored;
    },
    consume: async (signal, fire) => {
      const { wire } = store;
      const held = new Set<NodeJS.Timeout>();
      const settle = (delivery: Delivery, timer: Timer): void => {
        fire(timer).then(
          (stored) => wire.tell(delivery.reply, stored ? acknowledged : givenBack(retryMs)),
          () => wire.tell(delivery.reply, givenBack(retryMs)),
        );
      };
      const receive = (delivery: Delivery): void => {
        ask();
        if (signal.aborted) return void wire.tell(delivery.reply, givenBack(0));
        const timer = decodeAs(timerSchema, delivery.msg.data, `timer ${delivery.streamSeq}`);
        // A timer that cannot be read can never fire.
        if (!timer.ok) return void wire.tell(delivery.reply, acknowledged);
        const leftMs = timer.value.dueAt - Date.now();
        if (leftMs <= 0) return settle(delivery, timer.value);
        if (leftMs > holdMs)
          return void wire.tell(delivery.reply, givenBack(Math.min(leftMs - holdMs / 2, longestDelayMs)));
        const hold = setTimeout(() => {
          held.delete(hold);
          settle(delivery, timer.value);
        }, leftMs);
        held.add(hold);
      };
      const puller = new Puller(wire, source, receive, (end) => (end === 'gone' ? void make() : ask()));
      const ask = (): void => {
        if (!signal.aborted && puller.underway < width / 2) puller.pull(width, expiresMs);
      };
      const make = async (): Promise<void> => {
        for (let delayMs = 100; !signal.aborted; delayMs = Math.min(delayMs * 2, 5_000)) {
          const made = await ensureConsumer(store, source, { subject: names.timer, ackWaitMs, maxAckPending });
          if (made.ok) break;
          await pause(delayMs);
        }
        ask();
      };
      await new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
        void make();
      });
      for (const hold of held) clearTimeout(hold);
      await puller.close();
    },
  };
}
