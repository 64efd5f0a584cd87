/** Wakes and timers over a link. */
import type { Timer, Timers, Wake, WakeQueue } from '../../../src/bus/contract.js';
import { badToken, isToken, priorities } from '../../../src/bus/subject.js';
import { ok, type Result } from '../../../src/domain/failure.js';
import type { AgentId } from '../../../src/domain/id.js';
import { laneOf } from '../../../src/domain/lane.js';
import type { Link } from './link.js';
import type { SimServer, SimWake } from './server.js';
import type { Consumer, Delivery } from './work-queue.js';

export function wakesOver(link: Link, server: SimServer): WakeQueue {
  return {
    put: async (given, agentId) => {
      const lane = laneOf(given);
      const { priority, queue, role } = lane;
      if (!isToken(role)) return { ok: false, failure: badToken('a role name', role) };
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      const put = (): Result<void> =>
        ok(server.wakesOf(role, queue).put({ agentId, lane }, priorities.indexOf(priority)));
      return link.call('wake', () => server.store(put), true);
    },
    waiting: (tenant) => link.call('waiting', () => ok(server.waiting(tenant))),
    consume: (role, { capacity, queues = [], signal }, deliver) =>
      consume(link, signal, () => {
        let unfinished = 0;
        let underway = 0;
        const consumer: Consumer<SimWake> = {
          // A frozen process has asked for wakes before, and the server sends them to its socket.
          ready: () => link.process.linked && unfinished + underway < capacity(),
          send: (delivery) => {
            underway += 1;
            link.push(() => {
              underway = Math.max(0, underway - 1);
              if (signal.aborted || unfinished >= capacity()) return link.tell(() => delivery.giveBack(0));
              unfinished += 1;
              deliver(wakeOf(link, delivery, () => (unfinished -= 1)));
            }, true);
          },
        };
        // What was under way on a lost connection does not come any more.
        link.onStatus(() => (underway = 0));
        const joined = [undefined, ...queues].map((queue) => server.wakesOf(role, queue).join(consumer));
        return () => {
          for (const leave of joined) leave();
        };
      }),
  };
}

function wakeOf(link: Link, delivery: Delivery<SimWake>, onFinished: () => void): Wake {
  let open = true;
  const finish = (answer: () => void): void => {
    if (!open) return;
    open = false;
    onFinished();
    link.tell(answer);
  };
  return {
    ...delivery.item.lane,
    agentId: delivery.item.agentId as AgentId,
    deliveries: delivery.deliveries,
    ack: () => finish(delivery.ack),
    giveBack: (delayMs) => finish(() => delivery.giveBack(delayMs)),
    extend: () => {
      if (open) link.tell(delivery.extend);
    },
  };
}

const retryMs = 1_000;

export function timersOver(link: Link, server: SimServer): Timers {
  return {
    set: async (timer) => {
      const put = (): Result<void> => ok(server.timers.put(timer, 0, timer.dueAt - server.world.now()));
      return link.call('timer', () => server.store(put), true);
    },
    consume: (signal, fire) =>
      consume(link, signal, () => {
        const receive = async (delivery: Delivery<Timer>): Promise<void> => {
          // Hosts judge by their own clocks.
          const leftMs = delivery.item.dueAt - link.process.clock.now();
          if (signal.aborted || leftMs > 0) return link.tell(() => delivery.giveBack(Math.max(0, leftMs)));
          const stored = await fire(delivery.item as Parameters<typeof fire>[0]).catch(() => false);
          link.tell(() => (stored ? delivery.ack() : delivery.giveBack(retryMs)));
        };
        return server.timers.join({
          ready: () => link.process.linked,
          send: (delivery) => link.push(() => void receive(delivery), true),
        });
      }),
  };
}

/** Joins a queue at the server until the signal aborts or the process is gone. */
function consume(link: Link, signal: AbortSignal, join: () => () => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const leave = link.subscribe(join);
    const end = (): void => {
      leave();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
