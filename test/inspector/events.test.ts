import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskId } from '../../src/domain/id.js';
import { ask, type Inspected, Life, startInspected, until } from './support.js';

const reasons: string[] = [];
const log = {
  writes: () => true,
  debug: () => {},
  info: () => {},
  error: () => {},
  warn: (_: string, fields: unknown) => void reasons.push(JSON.stringify(fields)),
};

let at: Inspected;
beforeAll(async () => {
  at = await startInspected({
    log: { ...log, with: () => ({ ...log, with: () => log as never }) },
    limits: { watchers: 20, queueBytes: 200_000, farewellMs: 300, heartbeatMs: 50 },
  });
});
afterAll(() => at.end());

/** What events and farewells carry, as far as these tests look at it. */
interface Told {
  readonly seq?: number;
  readonly reason?: string;
  readonly event?: { readonly kind: string; readonly cause?: string };
}

interface Stream {
  readonly frames: { event: string; id: number; data: Told }[];
  text(): string;
  readonly ended: Promise<void>;
  stop(): void;
}

/** A watcher that reads. */
function watch(query: string, headers: Record<string, string> = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(
      { host: '127.0.0.1', port: at.inspector.port, path: `/api/events${query}`, headers, agent: false },
      (response: IncomingMessage) => {
        if (response.statusCode !== 200) return reject(new Error(String(response.statusCode)));
        const frames: Stream['frames'] = [];
        let all = '';
        let rest = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          all += part;
          const parts = (rest + part).split('\n\n');
          rest = parts.pop() ?? '';
          for (const one of parts) {
            const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(one)?.[1];
            const data = field('data');
            if (data !== undefined)
              frames.push({ event: field('event') ?? '', id: Number(field('id')), data: JSON.parse(data) });
          }
        });
        const ended = new Promise<void>((done) => response.on('close', () => done()));
        response.on('error', () => undefined);
        resolve({ frames, text: () => all, ended, stop: () => sent.destroy() });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

const told = (stream: Stream) => stream.frames.filter(({ event }) => event === 'feed');
const causes = (stream: Stream) => told(stream).map(({ data }) => data.event?.cause ?? data.event?.kind);
const published = (taskId: TaskId, count: number) =>
  until(async () => JSON.parse((await ask(at.inspector.port, `/api/tasks/${taskId}`)).text).events?.length >= count);

describe('the stream of events', () => {
  it('tells what happens from now on, with the agent as it is then', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const stream = await watch(`?task=${taskId}`);
    new Life(at.control, taskId).start('目标').move('decide', 'done.perceive', '', { tokens: 100 });
    await until(() => told(stream).length === 2);
    expect(stream.frames[0]?.event).toBe('hello');
    expect(told(stream)[1]).toMatchObject({
      data: {
        event: { kind: 'moved', state: 'decide' },
        agent: { goal: '目标', state: 'decide', usage: { rounds: 1 } },
      },
    });
    expect(told(stream)[1]?.id).toBe(told(stream)[1]?.data.seq);
    stream.stop();
  });

  it('goes on after Last-Event-ID or ?after=, without a gap and without a repeat', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const life = new Life(at.control, taskId).start('g');
    for (let n = 0; n < 5; n += 1) life.move('decide', `e${n}`);
    await published(taskId, 6);
    const { events } = JSON.parse((await ask(at.inspector.port, `/api/tasks/${taskId}`)).text);
    const third = String(events[2].seq);
    const byHeader = await watch(`?task=${taskId}`, { 'last-event-id': third });
    const byQuery = await watch(`?task=${taskId}&after=${third}`);
    life.move('act', 'e5');
    await until(() => causes(byHeader).length === 4 && causes(byQuery).length === 4);
    expect(causes(byHeader)).toEqual(['e2', 'e3', 'e4', 'e5']);
    expect(causes(byQuery)).toEqual(['e2', 'e3', 'e4', 'e5']);
    byHeader.stop();
    byQuery.stop();
  });

  it('reads from the feed what is too old to be remembered', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const life = new Life(at.control, taskId).start('g');
    const other = new Life(at.control, 'tsk_other' as TaskId).start('noise');
    for (let n = 0; n < 4_100; n += 1) other.move('act', 'noise');
    life.move('act', 'late');
    await published(taskId, 2);
    const stream = await watch(`?task=${taskId}&after=0`);
    await until(() => causes(stream).length === 2);
    life.move('observe', 'live');
    await until(() => causes(stream).length === 3);
    expect(causes(stream)).toEqual(['started', 'late', 'live']);
    stream.stop();
  });

  it('shows that it is alive when nothing happens', async () => {
    const stream = await watch('?task=tsk_quiet');
    await until(() => stream.text().includes(': alive'));
    stream.stop();
  });

  it.each(['?after=x', '?after=-1', '?task=a.b', '?after=1e99'])('refuses %s', async (query) => {
    expect((await ask(at.inspector.port, `/api/events${query}`)).status).toBe(400);
  });
});

describe('a watcher that does not read', () => {
  it('is let go with a reason, while others hear everything', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const socket = connect(at.inspector.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET /api/events?task=${taskId} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    const reader = await watch(`?task=${taskId}`);
    const life = new Life(at.control, taskId).start('g');
    const text = '很长'.repeat(10_000);
    let count = 0;
    const before = reasons.length;
    while (reasons.length === before) {
      life.move('observe', `m${count}`, text);
      count += 1;
      const sent = count;
      await until(() => told(reader).length === sent + 1 || reasons.length > before);
    }
    expect(reasons.at(-1)).toContain('it reads too slowly');
    life.move('act', 'after');
    await until(() => causes(reader).at(-1) === 'after');
    expect(told(reader)).toHaveLength(count + 2);
    socket.destroy();
    reader.stop();
  });
});

describe('a thousand watchers', () => {
  it('find a limit, and what is there goes on', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const first = await watch(`?task=${taskId}`);
    const others = await Promise.allSettled(Array.from({ length: 999 }, () => watch('')));
    const open = others.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThan(20);
    const life = new Life(at.control, taskId).start('g').move('decide', 'still');
    await until(() => causes(first).includes('still'));
    for (const stream of open) stream.stop();
    first.stop();
    await until(async () => {
      const again = await watch(`?task=${taskId}`).catch(() => undefined);
      again?.stop();
      return again !== undefined;
    });
    life.move('act', 'x');
  });

  it('hear that the inspector closes', async () => {
    const other = await startInspected();
    const here = at;
    at = other;
    const stream = await watch('');
    at = here;
    await other.end();
    await stream.ended;
    expect(stream.frames.at(-1)).toMatchObject({ event: 'dropped', data: { reason: 'the inspector is closing' } });
  });
});
