/** What others do to the streams: foreign and hostile messages, deleted consumers and streams, foreign markers. */
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, Wake } from '../../src/bus/contract.js';
import { namesOf } from '../../src/bus/subject.js';
import { ok } from '../../src/domain/failure.js';
import type { AgentId } from '../../src/domain/id.js';
import type { Json } from '../../src/domain/json.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import {
  failureOf,
  freshAgent,
  freshName,
  freshRole,
  freshTask,
  Happenings,
  kindOf,
  message,
  must,
  record,
} from './conformance/harness.js';

const names = namesOf('hact.v1', 8);
let buses: TestBuses;
let bus: Bus;
let stranger: NatsConnection;
let admin: JetStreamManager;
beforeAll(async () => {
  buses = await startTestBuses();
  bus = await buses.open({ ackWaitMs: 400 });
  stranger = await connect({ servers: buses.nats.url, token: buses.nats.token });
  admin = await stranger.jetstreamManager();
});
afterAll(async () => {
  await stranger.close();
  await buses.end();
});

const garbage = ['', '{', '{"v":1}', '\u0000\u0001', '[1,2,3]', '"text"', 'null', '{"v":1,"kind":"epoch","epoch":-1}'];

describe('foreign messages', () => {
  it('in a journal are reported with subject and sequence, never skipped', async () => {
    const agent = freshAgent();
    const seq = must(await bus.journal.append(agent, record(1), 0));
    stranger.publish(names.log(agent), '{"v":1,"kind":"epoch","epoch":"two"}');
    await stranger.flush();
    const failure = failureOf(await bus.journal.read(agent, 0));
    expect(failure.message).toContain(names.log(agent));
    expect(failure.message).toContain(String(seq + 1));
    expect(failure.message).toContain('epoch');
  });

  it('in an inbox become dead letters with their reason, and do not hide the others', async () => {
    const agent = freshAgent();
    must(await bus.inbox.put(agent, message('m1')));
    for (const text of garbage) stranger.publish(names.inbox(agent), text);
    await stranger.flush();
    must(await bus.inbox.put(agent, message('m2')));
    const read = must(await bus.inbox.read(agent, 0));
    expect(read.map(({ value }) => value.id)).toEqual(['m1', 'm2']);
    const letters = must(await bus.dead.list()).filter(({ value }) => (value as { agentId?: Json }).agentId === agent);
    expect(letters).toHaveLength(garbage.length);
    expect(JSON.stringify(letters[0]?.value)).toContain('not JSON');
    expect(must(await bus.inbox.read(agent, 0))).toHaveLength(2);
    expect(must(await bus.dead.list()).length).toBeGreaterThanOrEqual(garbage.length);
  });

  it('in an inbox do not hide what came before them, though they are its last', async () => {
    const agent = freshAgent();
    must(await bus.inbox.put(agent, message('m1')));
    must(await bus.inbox.put(agent, message('m2')));
    for (let times = 0; times < 2; times += 1) {
      await stranger.request(names.inbox(agent), '{');
      for (let reads = 0; reads < 2; reads += 1) {
        const ids = must(await bus.inbox.read(agent, 0)).map(({ value }) => value.id);
        expect([...new Set(ids)]).toEqual(['m1', 'm2']);
      }
      const later = must(await bus.inbox.read(agent, 0)).at(-1)?.seq ?? 0;
      await stranger.request(names.inbox(agent), '{');
      expect(must(await bus.inbox.read(agent, later))).toEqual([]);
      expect(must(await bus.inbox.read(agent, 0))[0]).toMatchObject({ value: { id: 'm1' } });
    }
  });

  it('in the other streams are passed over', async () => {
    const [agent, role, task] = [freshAgent(), freshRole(), freshTask()];
    for (const text of [...garbage.slice(0, 6), 'a.b', '>']) {
      stranger.publish(names.wake({ role, priority: 'normal' }), text);
      stranger.publish(names.timer, text);
      stranger.publish(names.event(task, agent, 'moved'), text);
    }
    await stranger.flush();
    must(await bus.wakes.put({ role, priority: 'normal' }, agent));
    must(await bus.timers.set({ agentId: agent, name: 'good', dueAt: Date.now(), role, priority: 'normal' }));
    bus.feed.publish({
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
      epoch: 7,
    });
    const stop = new AbortController();
    const wakes = new Happenings<Wake>();
    const fired = new Happenings<string>();
    const consuming = bus.wakes.consume(
      role,
      { capacity: () => 4, signal: stop.signal, onFailure: () => undefined },
      (wake) => {
        wake.ack();
        wakes.add(wake);
      },
    );
    const timing = bus.timers.consume(stop.signal, async ({ name }) => {
      fired.add(name);
      return true;
    });
    await Promise.all([wakes.reached(1), fired.reached(1)]);
    for await (const { value } of bus.feed.read(task, 0, stop.signal)) {
      expect(value).toMatchObject({ epoch: 7 });
      break;
    }
    expect(wakes.all.map(({ agentId }) => agentId)).toEqual([agent]);
    stop.abort();
    await Promise.all([consuming, timing]);
  });

  it('as requests reach the handler as the text they are', async () => {
    const name = freshName('thing');
    const bodies: string[] = [];
    const stop = must(
      await bus.requests.serve({
        [name]: async (body) => {
          bodies.push(body);
          return ok(null);
        },
      }),
    );
    for (const text of garbage) await stranger.request(names.request(name), text);
    expect(bodies).toEqual(garbage);
    await stop();
  });

  it('as markers of a deleted key mean that there is no value, and it can be created', async () => {
    const key = freshName('key');
    const kv = await stranger.jetstream().views.kv('HACT_V1_LEASE');
    must(await bus.buckets.lease.create(key, 1));
    await kv.delete(key);
    expect(must(await bus.buckets.lease.get(key))).toBeUndefined();
    must(await bus.buckets.lease.create(key, 2));
    expect(kindOf(await bus.buckets.lease.create(key, 3))).toBe('conflict');
    expect((await kv.get(key))?.string()).toBe('2');
  });
});

/** As a server passes over a message whose bytes do not fit their checksum any more. */
describe('a record that the store has lost', () => {
  const written = async (): Promise<{ agent: AgentId; stream: string; seqs: number[] }> => {
    const agent = freshAgent();
    const seqs: number[] = [];
    for (let epoch = 1; epoch <= 12; epoch += 1)
      seqs.push(must(await bus.journal.append(agent, record(epoch), seqs.at(-1) ?? 0)));
    return { agent, stream: names.streams.journal(names.shardOf(agent)), seqs };
  };

  it.each([0, 1, 5, 10])('is missed by whoever reads its journal (number %i of 12)', async (lost) => {
    const { agent, stream, seqs } = await written();
    await admin.streams.deleteMessage(stream, seqs[lost] ?? 0);
    const failure = failureOf(await bus.journal.read(agent, 0));
    expect(failure.kind).toBe('damaged');
    expect(failure.message).toContain(`record ${seqs[lost + 1]} of ${names.log(agent)} follows record ${seqs[lost]}`);
  });

  it('is not missed by those who have read it already', async () => {
    const { agent, stream, seqs } = await written();
    await admin.streams.deleteMessage(stream, seqs[2] ?? 0);
    expect(must(await bus.journal.read(agent, seqs[2] ?? 0)).map(({ seq }) => seq)).toEqual(seqs.slice(3));
    expect(kindOf(await bus.journal.read(agent, seqs[1] ?? 0))).toBe('damaged');
  });
});

describe('what was deleted', () => {
  const consuming = (role: ReturnType<typeof freshRole>, deliver: (wake: Wake) => void) => {
    const stop = new AbortController();
    const ended = bus.wakes.consume(
      role,
      { capacity: () => 4, signal: stop.signal, onFailure: () => undefined },
      deliver,
    );
    return async () => {
      stop.abort();
      await ended;
    };
  };

  it('a consumer is made again while it is being consumed from', async () => {
    const role = freshRole();
    const wakes = new Happenings<Wake>();
    const stop = consuming(role, (wake) => {
      wake.ack();
      wakes.add(wake);
    });
    must(await bus.wakes.put({ role, priority: 'normal' }, freshAgent()));
    await wakes.reached(1);
    await admin.consumers.delete(names.streams.wake, `${role}-normal`);
    must(await bus.wakes.put({ role, priority: 'normal' }, freshAgent()));
    await wakes.reached(2);
    await stop();
  });

  it('an inbox that begins anew is read from its start by those who were further', async () => {
    const agent = freshAgent();
    for (const id of ['m1', 'm2', 'm3']) must(await bus.inbox.put(agent, message(id)));
    const reached = must(await bus.inbox.read(agent, 0)).at(-1)?.seq ?? 0;
    expect(must(await bus.inbox.read(agent, reached))).toEqual([]);
    await admin.streams.delete(names.streams.inbox);
    must(await bus.inbox.put(agent, message('m4')));
    expect(must(await bus.inbox.read(agent, reached)).map(({ value }) => value.id)).toEqual(['m4']);
  });

  it('a stream is made again, by whoever writes next, and consumers with it', async () => {
    const role = freshRole();
    const wakes = new Happenings<Wake>();
    const stop = consuming(role, (wake) => {
      wake.ack();
      wakes.add(wake);
    });
    must(await bus.wakes.put({ role, priority: 'normal' }, freshAgent()));
    await wakes.reached(1);
    await admin.streams.delete(names.streams.wake);
    must(await bus.wakes.put({ role, priority: 'normal' }, freshAgent()));
    await wakes.reached(2);
    await stop();
  });

  it('a journal stream that is gone is made again, empty, and the lost log is a conflict', async () => {
    const agent = freshAgent();
    const last = must(await bus.journal.append(agent, record(1), 0));
    await admin.streams.delete(names.streams.journal(names.shardOf(agent)));
    expect(kindOf(await bus.journal.append(agent, record(2), last))).toBe('conflict');
    expect(must(await bus.journal.read(agent, 0))).toEqual([]);
  });
});

describe('a worker that dies with wakes in its hands', () => {
  it('has them delivered to another after the redelivery time, unless it extends them', async () => {
    const role = freshRole();
    const [dropped, extended] = [freshAgent(), freshAgent()];
    const dying = await buses.open({ ackWaitMs: 400 });
    const held = new Happenings<Wake>();
    void dying.wakes.consume(
      role,
      { capacity: () => 4, signal: new AbortController().signal, onFailure: () => undefined },
      held.add,
    );
    must(await bus.wakes.put({ role, priority: 'normal' }, dropped));
    must(await bus.wakes.put({ role, priority: 'normal' }, extended));
    await held.reached(2);
    await dying.close();
    const stop = new AbortController();
    const wakes = new Happenings<Wake>();
    const consuming = bus.wakes.consume(
      role,
      { capacity: () => 4, signal: stop.signal, onFailure: () => undefined },
      (wake) => {
        if (wake.agentId === extended && wake.deliveries === 2) {
          const beat = setInterval(() => wake.extend(), 100);
          setTimeout(() => {
            clearInterval(beat);
            wake.ack();
            wakes.add(wake);
          }, 1_000);
        } else {
          wake.ack();
          wakes.add(wake);
        }
      },
    );
    const all = await wakes.reached(2);
    expect(all.map(({ agentId, deliveries }) => [agentId, deliveries])).toEqual([
      [dropped, 2],
      [extended, 2],
    ]);
    stop.abort();
    await consuming;
  });
});

describe('several installations', () => {
  it('share a server under different prefixes and see nothing of each other', async () => {
    const other = await buses.open({ prefix: 'team-b.v1', shards: 2 });
    const agent = freshAgent();
    must(await bus.journal.append(agent, record(1), 0));
    must(await bus.buckets.task.put('shared-key', 'mine'));
    expect(must(await other.journal.read(agent, 0))).toEqual([]);
    expect(must(await other.buckets.task.get('shared-key'))).toBeUndefined();
    must(await other.journal.append(agent, record(2), 0));
    expect(must(await bus.journal.read(agent, 0)).map(({ value }) => value.epoch)).toEqual([1]);
  });

  it('are made by many who start at the same moment', async () => {
    for (let round = 0; round < 8; round += 1)
      await Promise.all(Array.from({ length: 8 }, () => buses.open({ prefix: `rush.v${round}` })));
  });

  it('are brought to the configuration of a worker that comes later, but for what operators set', async () => {
    const stream = namesOf('team-d.v1', 2).streams.bucket('host');
    const configOf = async () => (await admin.streams.info(stream)).config;
    await buses.open({ prefix: 'team-d.v1', shards: 2, leaseMs: 1_000 });
    await admin.streams.update(stream, { max_bytes: 5_000_000, allow_rollup_hdrs: true }); // as versions before made it
    await buses.open({ prefix: 'team-d.v1', shards: 2, leaseMs: 2_000 });
    expect(await configOf(), 'clients leave it alone').toMatchObject({ max_age: 1_000 * 1_000_000 });
    await buses.open({ prefix: 'team-d.v1', shards: 2, leaseMs: 2_000, streams: 'update' });
    expect(await configOf()).toMatchObject({
      max_age: 2_000 * 1_000_000,
      max_bytes: 5_000_000,
      allow_rollup_hdrs: false,
    });
  });

  it('keep the number of shards that they began with, whoever comes later', async () => {
    const first = await buses.open({ prefix: 'team-c.v1', shards: 3 });
    const second = await buses.open({ prefix: 'team-c.v1', shards: 16, streams: 'update' });
    for (let index = 0; index < 30; index += 1) {
      const agent = freshAgent();
      must(await second.journal.append(agent, record(index), 0));
      expect(must(await first.journal.read(agent, 0))).toHaveLength(1);
    }
  });
});
