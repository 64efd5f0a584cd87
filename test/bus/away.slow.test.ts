/** What happens when the server or the connection goes away and comes back. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bus, BusStatus, Stored, Wake } from '../../src/bus/contract.js';
import type { FeedEvent } from '../../src/domain/event.js';
import { ok } from '../../src/domain/failure.js';
import type { Json } from '../../src/domain/json.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { startProxy, type TestProxy } from '../support/nats-proxy.js';
import {
  failureOf,
  freshAgent,
  freshRole,
  freshTask,
  Happenings,
  kindOf,
  message,
  must,
  record,
} from './conformance/harness.js';

let buses: TestBuses;
beforeEach(async () => {
  buses = await startTestBuses({ patienceMs: 8_000 });
});
afterEach(() => buses.end());

const statusOf = (bus: Bus, wanted: boolean): Promise<void> =>
  new Promise((resolve) => {
    const stop = bus.onStatus(({ connected }) => {
      if (connected !== wanted) return;
      stop();
      resolve();
    });
  });

describe('a server that is killed and started again on its store', () => {
  it('has every append that was acknowledged, once, and appends wait for it', async () => {
    const bus = await buses.open();
    const agents = Array.from({ length: 20 }, freshAgent);
    const acknowledged = new Happenings<number>();
    const perAgent = 60;
    const work = agents.map(async (agent) => {
      let last = 0;
      for (let epoch = 1; epoch <= perAgent; epoch += 1) {
        last = must(await bus.journal.append(agent, record(epoch), last));
        acknowledged.add(epoch);
      }
      return last;
    });
    const lost = statusOf(bus, false);
    await acknowledged.reached(300);
    await buses.nats.kill();
    await lost;
    await buses.nats.restart();
    await Promise.all(work);
    expect(acknowledged.all).toHaveLength(agents.length * perAgent);
    const wanted = Array.from({ length: perAgent }, (_, index) => index + 1);
    const logs = await Promise.all(agents.map((agent) => bus.journal.read(agent, 0)));
    for (const read of logs.map(must)) {
      expect(read.map(({ value }) => value.epoch)).toEqual(wanted);
    }
  });

  it('goes on delivering wakes, feed, arrivals, watched values, timers and requests', async () => {
    const bus = await buses.open();
    const worker = await buses.open();
    const [agent, task, role] = [freshAgent(), freshTask(), freshRole()];
    const stop = new AbortController();
    const wakes = new Happenings<Wake>();
    const events = new Happenings<Stored<FeedEvent>>();
    const values = new Happenings<Json | undefined>();
    const arrivals = new Happenings<undefined>();
    const fired = new Happenings<string>();
    const consuming = worker.wakes.consume(
      role,
      { capacity: () => 8, signal: stop.signal, onFailure: () => undefined },
      (wake) => {
        wake.ack();
        wakes.add(wake);
      },
    );
    const timing = worker.timers.consume(stop.signal, async ({ name }) => {
      fired.add(name);
      return true;
    });
    const reading = (async () => {
      for await (const event of worker.feed.read(task, 0, stop.signal)) events.add(event);
    })();
    worker.buckets.task.watch('result', (value) => values.add(value));
    worker.inbox.onArrival(agent, () => arrivals.add(undefined));
    must(await worker.requests.serve({ 'thing.get': async () => ok('served') }));
    const event = (epoch: number): FeedEvent => ({
      v: 1,
      kind: 'taken_over',
      taskId: task,
      agentId: agent,
      role,
      seq: 0,
      at: 1,
      host: 'host-1',
      round: 0,
      from: 'host-2',
      epoch,
    });
    const timer = (name: string, inMs: number) =>
      bus.timers.set({ agentId: agent, name, dueAt: Date.now() + inMs, role, priority: 'normal' });
    must(await bus.wakes.put({ role, priority: 'normal' }, agent));
    bus.feed.publish(event(1));
    must(await timer('early', 0));
    // Rests on the server while it is killed.
    must(await timer('resting', 1_500));
    await Promise.all([wakes.reached(1), events.reached(1), values.reached(1), fired.reached(1)]);

    const back = [statusOf(bus, true), statusOf(worker, true)];
    const away = [statusOf(bus, false), statusOf(worker, false)];
    await buses.nats.kill();
    await Promise.all(away);
    bus.feed.publish(event(2));
    await buses.nats.restart();
    await Promise.all(back);
    // Something may have arrived meanwhile.
    const { length: arrived } = await arrivals.reached(1);

    must(await bus.wakes.put({ role, priority: 'high' }, agent));
    must(await bus.buckets.task.put('result', 'done'));
    must(await bus.inbox.put(agent, message('m1')));
    bus.feed.publish(event(3));
    await Promise.all([wakes.reached(2), events.reached(3), values.reached(2), arrivals.reached(arrived + 1)]);
    expect(events.all.map(({ value }) => (value.kind === 'taken_over' ? value.epoch : 0))).toEqual([1, 2, 3]);
    expect(values.all).toEqual([undefined, 'done']);
    expect(must(await bus.requests.request('thing.get', {}, 2_000))).toBe('served');
    await fired.reached(2);
    // At least once: the acknowledgement of the first may have died with the server.
    expect([...new Set(fired.all)]).toEqual(['early', 'resting']);
    stop.abort();
    await Promise.all([consuming, timing, reading]);
  }, 60_000);

  it('is reported as gone and as back', async () => {
    const bus = await buses.open();
    const seen: BusStatus[] = [];
    bus.onStatus((status) => seen.push(status));
    const lost = statusOf(bus, false);
    const back = statusOf(bus, true);
    await buses.nats.kill();
    await lost;
    expect(bus.status().connected).toBe(false);
    await buses.nats.restart();
    await back;
    expect(bus.status()).toMatchObject({ connected: true });
    expect(seen.map(({ connected }) => connected)).toEqual([false, true]);
  });
});

describe('a server that stays away', () => {
  it('makes every call fail with bus_unreachable after its patience, and nothing throw', async () => {
    const bus = await buses.open({ patienceMs: 300 });
    const lost = statusOf(bus, false);
    await buses.nats.kill();
    await lost;
    const agent = freshAgent();
    bus.inbox.nudge(agent);
    bus.inbox.onArrival(agent, () => undefined)();
    bus.requests.answerAs('host-1')();
    bus.buckets.task.watch('key', () => undefined)();
    const outcomes = await Promise.all([
      bus.journal.append(agent, record(1), 0),
      bus.journal.read(agent, 0),
      bus.inbox.put(agent, message('m1')),
      bus.inbox.read(agent, 0),
      bus.inbox.clear(agent),
      bus.inbox.agents(),
      bus.wakes.put({ role: freshRole(), priority: 'normal' }, agent),
      bus.buckets.lease.create('key', 1),
      bus.buckets.lease.get('key'),
      bus.buckets.lease.update('key', 1, 1),
      bus.buckets.lease.delete('key', 1),
      bus.buckets.lease.keys(),
      bus.feed.last(undefined),
      bus.blobs.put(new Uint8Array(10)),
      bus.blobs.get('0'.repeat(64)),
      bus.dead.list(),
      bus.requests.request('task.get', {}, 1_000),
      bus.requests.serve({}),
    ]);
    expect(outcomes.map(kindOf)).toEqual(outcomes.map(() => 'bus_unreachable'));
    expect(failureOf(outcomes[0] ?? ok(0)).message).toContain('300 ms');
  });

  it('does not keep the bus from closing', async () => {
    const bus = await buses.open({ patienceMs: 60_000 });
    const lost = statusOf(bus, false);
    const stop = new AbortController();
    const consuming = bus.wakes.consume(
      freshRole(),
      { capacity: () => 1, signal: stop.signal, onFailure: () => undefined },
      () => undefined,
    );
    await buses.nats.kill();
    await lost;
    const waiting = bus.journal.append(freshAgent(), record(1), 0);
    stop.abort();
    await bus.close();
    expect(kindOf(await waiting)).toBe('bus_unreachable');
    await consuming;
    expect(kindOf(await bus.journal.append(freshAgent(), record(1), 0))).toBe('bus_unreachable');
  });
});

describe('a connection that is away while others go on', () => {
  it('hears afterwards what was put and deleted meanwhile', async () => {
    const proxy = await startProxy(buses.nats.url);
    const bus = await buses.open({ servers: proxy.url });
    const direct = await buses.open();
    const dropped = must(await direct.buckets.task.put('dropped', 1));
    const seen = new Happenings<[string, Json | undefined]>();
    for (const key of ['kept', 'dropped']) bus.buckets.task.watch(key, (value) => seen.add([key, value]));
    await seen.reached(2);
    const lost = statusOf(bus, false);
    proxy.refuse();
    await lost;
    must(await direct.buckets.task.put('kept', 'done'));
    must(await direct.buckets.task.delete('dropped', dropped));
    proxy.pass();
    await seen.reached(4);
    expect(seen.all.slice(2).toSorted()).toEqual([
      ['dropped', undefined],
      ['kept', 'done'],
    ]);
    await proxy.stop();
  });
});

describe('an append whose reply was lost', () => {
  let proxy: TestProxy;
  beforeEach(async () => {
    proxy = await startProxy(buses.nats.url);
  });
  afterEach(() => proxy.stop());

  it('succeeds when it was stored, and is stored once', async () => {
    const bus = await buses.open({ servers: proxy.url });
    const direct = await buses.open();
    const agent = freshAgent();
    const first = must(await bus.journal.append(agent, record(1), 0));
    proxy.swallowReplies();
    const appending = bus.journal.append(agent, record(2), first);
    while (must(await direct.journal.read(agent, first)).length === 0);
    proxy.pass();
    proxy.cut();
    const seq = must(await appending);
    expect(must(await direct.journal.read(agent, first))).toEqual([{ seq, value: record(2) }]);
  });

  it('is a conflict when somebody else has appended after it or before it', async () => {
    const bus = await buses.open({ servers: proxy.url });
    const direct = await buses.open();
    const [after, before] = [freshAgent(), freshAgent()];
    const firstAfter = must(await bus.journal.append(after, record(1), 0));
    const firstBefore = must(await bus.journal.append(before, record(1), 0));
    must(await direct.journal.append(before, record(2, 'host-2'), firstBefore));
    proxy.swallowReplies();
    const appending = [
      bus.journal.append(after, record(2), firstAfter),
      bus.journal.append(before, record(2), firstBefore),
    ];
    while (must(await direct.journal.read(after, firstAfter)).length === 0);
    const mine = must(await direct.journal.read(after, firstAfter))[0]?.seq ?? 0;
    must(await direct.journal.append(after, record(3, 'host-2'), mine));
    proxy.pass();
    proxy.cut();
    expect((await Promise.all(appending)).map(kindOf)).toEqual(['conflict', 'conflict']);
  });

  it('is settled in the same way for a lease, taken and dropped', async () => {
    const bus = await buses.open({ servers: proxy.url });
    const direct = await buses.open();
    const kept = must(await bus.buckets.lease.create('kept', 'host-1'));
    proxy.swallowReplies();
    const creating = bus.buckets.lease.create('new', 'host-1');
    const deleting = bus.buckets.lease.delete('kept', kept);
    while (must(await direct.buckets.lease.get('new')) === undefined);
    while (must(await direct.buckets.lease.get('kept')) !== undefined);
    proxy.pass();
    proxy.cut();
    expect(must(await creating)).toBe(must(await direct.buckets.lease.get('new'))?.seq);
    must(await deleting);
  });
});
