import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { shareLessons } from '../../src/app/lessons.js';
import type { Bus } from '../../src/bus/contract.js';
import { roleNameSchema } from '../../src/domain/id.js';
import { defineAgent, defineTool, finish, startWorker, type WorkerHandle } from '../../src/index.js';
import { nothingLearned, withRules, withUse } from '../../src/parse/learn/learned.js';
import type { LessonStore } from '../../src/parse/learn/learner.js';
import { newRule } from '../../src/parse/learn/rule.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { startTestModel, type TestModel } from '../support/rule-model.js';

const ruleOf = (word: string) =>
  newRule({ on: 'value', tool: 'open_ticket', parameter: 'priority', from: word, to: 'high' }, 'human', 1);
/** Resolves when the store has heard what was waited for. */
async function until(store: LessonStore, holds: (store: LessonStore) => boolean): Promise<void> {
  while (!holds(store)) await new Promise((resolve) => setImmediate(resolve));
}

describe('lessons in a bucket of a real server', () => {
  let buses: TestBuses;
  let one: Bus;
  let other: Bus;
  const failures: unknown[] = [];
  const share = (bus: Bus) => shareLessons(bus.buckets.lesson, (failure) => failures.push(failure));
  beforeAll(async () => {
    buses = await startTestBuses();
    [one, other] = await Promise.all([buses.open(), buses.open()]);
  });
  afterAll(() => buses?.end());

  it('are known here at once and elsewhere as soon as they are stored', async () => {
    const [a, b] = [share(one), share(other)];
    a.change((now) => withRules(now, [ruleOf('asap')]));
    expect(a.read().rules).toHaveLength(1);
    await until(b, (store) => store.read().rules.length === 1);
    expect(b.read().rules).toEqual(a.read().rules);
    await Promise.all([a.close(), b.close()]);
  });

  it('of many writers at the same time are all kept, and none counts twice', async () => {
    const writers = Array.from({ length: 8 }, (_, i) => share(i % 2 === 0 ? one : other));
    const id = ruleOf('asap').id;
    for (let round = 0; round < 5; round += 1) {
      for (const [i, writer] of writers.entries()) {
        writer.change((now) => withRules(now, [ruleOf(`word-${i}-${round}`)]));
        writer.change((now) => withUse(now, [id], true));
      }
    }
    await Promise.all(writers.map((writer) => writer.close()));
    const late = share(other);
    await until(late, (store) => store.read().rules.length > 0);
    expect(late.read().rules).toHaveLength(41);
    expect(late.read().rules.find((rule) => rule.id === id)?.uses).toBe(40);
    expect(failures).toEqual([]);
    await late.close();
  });

  it('that another version wrote are left alone', async () => {
    const bus = await buses.open({ prefix: 'other' });
    const newer = { v: 2, lessons: ['in a shape of its own'] };
    await bus.buckets.lesson.put('all', newer);
    const store = share(bus);
    store.change((now) => withRules(now, [ruleOf('asap')]));
    await store.close();
    expect(failures).toHaveLength(1);
    const kept = await bus.buckets.lesson.get('all');
    expect(kept.ok && kept.value?.value).toEqual(newer);
    expect(store.read()).not.toBe(nothingLearned);
  });
});

describe('two workers on one server', () => {
  let buses: TestBuses;
  let model: TestModel;
  let folder: string;
  const workers: WorkerHandle[] = [];
  const opened: unknown[] = [];
  const openTicket = defineTool({
    name: 'open_ticket',
    description: 'Opens a ticket.',
    parameters: z.object({ subject: z.string(), priority: z.enum(['low', 'high']) }),
    effect: 'read',
    run: (args) => {
      opened.push(args);
      return 'opened';
    },
  });
  const isRepair = (text: string): boolean => text.startsWith('You repair a tool call');

  beforeAll(async () => {
    buses = await startTestBuses();
    folder = await mkdtemp(join(tmpdir(), 'hact-lessons-'));
    model = await startTestModel(({ text, round }) => {
      if (isRepair(text)) {
        const subject = /"subject":"([^"]+)"/.exec(text)?.[1];
        return { say: JSON.stringify({ name: 'open_ticket', arguments: { subject, priority: 'high' } }) };
      }
      if (round > 0) return { calls: [['finish', { status: 'done', result: 'ok', summary: 'ok' }]] };
      const subject = /about the (\w+)/.exec(text)?.[1];
      return { calls: [['open_ticket', { subject, priority: '十万火急' }]] };
    });
    for (const name of ['first', 'second']) {
      workers.push(
        await startWorker({
          roles: [name],
          agents: [defineAgent({ name, instructions: 'You open tickets.', tools: [openTicket, finish] })],
          settings: {
            'nats.url': buses.nats.url,
            'nats.token': buses.nats.token,
            'model.baseUrl': model.url,
            'model.name': 'big',
            'model.small': 'small',
            'model.apiKey': 'none',
            'model.stream': 'false',
            'log.file': join(folder, `${name}.log`),
            dataDir: folder,
          },
        }),
      );
    }
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await model?.close();
    await buses?.end();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (role: string, about: string) => {
    const [worker] = workers;
    if (worker === undefined) throw new Error('no worker');
    const submitted = await worker.client.submit({
      goal: `Open a ticket about the ${about}`,
      role: roleNameSchema.parse(role),
    });
    if (!submitted.ok) throw new Error(submitted.failure.message);
    const result = await worker.client.result(submitted.value.taskId, AbortSignal.timeout(30_000));
    if (!result.ok) throw new Error(result.failure.message);
    return result.value;
  };

  it('learn from each other: one call of the small model in the one, none in the other', async () => {
    await run('first', 'door');
    expect(opened).toEqual([{ subject: 'door', priority: 'high' }]);
    expect(model.asked.filter(({ text }) => isRepair(text))).toHaveLength(1);

    await run('second', 'window');
    expect(opened).toEqual([
      { subject: 'door', priority: 'high' },
      { subject: 'window', priority: 'high' },
    ]);
    expect(model.asked.filter(({ text }) => isRepair(text))).toHaveLength(1);
  });
});
