/** `hact dev` and whatever joins it from other terminals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestModel, type TestModel } from '../support/rule-model.js';
import { jsonOf, openPlace, type Place, type Running } from './hact.js';
import { type Gate, gate, ruleWith } from './rules.js';

let place: Place;
let model: TestModel;
let held: Gate;
let dev: Running;
let banner: string;
beforeAll(async () => {
  held = gate();
  model = await startTestModel((asked) => ruleWith(held)(asked));
  place = await openPlace({ HACT_MODEL_BASE_URL: model.url, HACT_MODEL: 'test', HACT_INSPECTOR_PORT: '0' });
  dev = place.start(['dev', '--workers', '1']);
  banner = await dev.says('Ctrl-C ends everything');
});
afterAll(async () => {
  held.release();
  dev.child.kill('SIGTERM');
  expect((await dev.done).code).toBe(0);
  await model.close();
  await place.remove();
});

const submitted = async (goal: string) => (await place.run(['submit', goal])).stdout.trim().split('\n')[0] ?? '';

describe('hact dev', () => {
  it('says where everything is, and serves the inspector', async () => {
    expect(banner).toMatch(/✔ nats nats:\/\/127\.0\.0\.1:\d+/);
    expect(banner).toContain('workers planner, executor');
    const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(banner)?.[0] ?? '';
    expect((await fetch(url)).status).toBe(200);
  });

  it('works for submit and watch in other terminals', async () => {
    const taskId = await submitted('GOAL-ANSWER there');
    const watched = await place.run(['watch', taskId, '--json']);
    expect(jsonOf(watched)).toMatchObject({ taskId, status: 'done', result: 'The answer is 四十二.' });
    const all = (await place.run(['watch', taskId, '--stream-json'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rest = (await place.run(['watch', taskId, '--stream-json', '--after', String(all[0].seq)])).stdout
      .trim()
      .split('\n');
    expect(rest).toHaveLength(all.length - 1);
  });

  it('keeps its word about idempotency keys', async () => {
    const once = await place.run(['submit', 'GOAL-ANSWER', '--key', 'k', '--json']);
    expect(jsonOf(await place.run(['submit', 'GOAL-ANSWER', '--key', 'k', '--json']))).toEqual(jsonOf(once));
    expect(await place.run(['submit', 'GOAL-OTHER', '--key', 'k'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('another body'),
    });
  });

  it('pauses, corrects, resumes and cancels', async () => {
    const taskId = await submitted('GOAL-HOLD steady');
    await dev.says(new RegExp(`${taskId}.*started`));
    expect((await place.run(['pause', taskId])).stdout).toBe(`${taskId} paused\n`);
    expect((await place.run(['correct', taskId, '只看 2026', '--memory', '{"year":2026}'])).code).toBe(0);
    expect((await place.run(['budget', taskId, '--rounds', '9'])).code).toBe(0);
    expect((await place.run(['resume', taskId])).code).toBe(0);
    expect(jsonOf(await place.run(['show', taskId, '--json']))).toMatchObject({
      task: { state: 'accepted' },
      tree: { v: 1 },
    });
    expect((await place.run(['cancel', taskId, '--reason', 'enough', '--json'])).code).toBe(0);
    const watched = await place.run(['watch', taskId]);
    expect(watched.code).toBe(7);
    expect(watched.stdout).toContain('cancelled by ana: enough');
  });

  it('takes one more worker, which hands over and leaves on SIGTERM', async () => {
    const worker = place.start(['worker', '--role', 'executor']);
    await worker.says('worker started');
    worker.child.kill('SIGTERM');
    expect(await worker.done).toMatchObject({ code: 0, stderr: expect.stringContaining('worker drains') });
  });

  it('takes no worker for a role that nobody knows', async () => {
    const { code, stderr } = await place.run(['worker', '--role', 'nobody']);
    expect(stderr).toMatch(/^hact: no role is named nobody → known roles: planner, executor\n$/);
    expect(code).toBe(2);
  });

  it('says of a task for a role that nobody serves that it waits, and for whom', async () => {
    const { code, stderr, stdout } = await place.run(['submit', 'Look', '--role', 'analyst']);
    expect(stderr).toMatch(/^no worker serves the role analyst \(those that run: executor, planner\): tsk_\w+ is kept/);
    expect(code).toBe(0);
    expect(await place.run(['cancel', stdout.trim()])).toMatchObject({ code: 0 });
  });

  it('is seen by a second run, which starts no server of its own', async () => {
    const ran = await place.run(['run', 'GOAL-ANSWER next door']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).not.toContain('model');
    expect(ran.stdout).toContain('四十二');
  });
});
