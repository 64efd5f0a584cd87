/** `hact run` and the commands around it, with a server, workers and a model of their own. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestModel, type TestModel } from '../support/rule-model.js';
import { jsonOf, openPlace, type Place } from './hact.js';
import { type Gate, gate, ruleWith } from './rules.js';

let place: Place;
let model: TestModel;
let held: Gate;
beforeAll(async () => {
  held = gate();
  model = await startTestModel((asked) => ruleWith(held)(asked));
  place = await openPlace({ HACT_MODEL_BASE_URL: model.url, HACT_MODEL: 'test' });
});
afterAll(async () => {
  held.release();
  await model.close();
  await place.remove();
});

const taskIn = (text: string): string => /tsk_\w+/.exec(text)?.[0] ?? 'no task';

describe('hact run', () => {
  it('starts what is missing, prints events, result and cost line, and leaves nothing but the record', async () => {
    const ran = await place.run(['run', 'GOAL-ANSWER please', '--workers', '1']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const lines = ran.stdout.trim().split('\n');
    expect(lines[0]).toMatch(
      /^✔ nats 127\.0\.0\.1:\d+ {3}✔ model 127\.0\.0\.1:\d+\/test {3}task tsk_\w+ {3}budget 200k tok · \$1\.00 · 20 rounds · 30m$/,
    );
    expect(ran.stdout).toMatch(/planner +started +GOAL-ANSWER/);
    expect(lines.at(-3)).toBe('The answer is 四十二.');
    expect(lines.at(-2)).toMatch(/^unverified: 四十二 in /);
    expect(lines.at(-1)).toMatch(/^1 round · [\d,]+ tokens in · 20 out · 0 tool calls · \$0\.00 · /);
    const taskId = taskIn(ran.stdout);

    expect((await place.run(['ls'])).stdout).toMatch(
      new RegExp(`^${taskId} +done +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +GOAL-ANSWER`),
    );
    expect((await place.run(['show', taskId])).stdout).toContain('The answer is 四十二.');
    expect((await place.run(['cost', taskId])).stdout).toMatch(/in all +1 round/);
    const watched = place.run(['watch', taskId]);
    expect((await watched).stderr).toContain('no NATS server is known');
    const replayed = (await place.run(['replay', taskId])).stdout;
    expect(replayed).toMatch(/→ decide/);
    const records = (await place.run(['replay', taskId, '--json'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const until = records[1].seq;
    expect(
      (await place.run(['replay', taskId, '--json', '--until', String(until)])).stdout.trim().split('\n'),
    ).toHaveLength(2);
    expect((await place.run(['logs', taskId])).stdout).toContain(`"taskId":"${taskId}"`);
    expect(await place.run(['cancel', taskId])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has ended already: done'),
    });
  });

  it('lets several commands start the server of one folder at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, (_, n) => place.run(['submit', `GOAL-ANSWER ${n}`])));
    for (const { code, stdout, stderr } of all) {
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^no worker is running: .*\n$/)]);
      expect(stdout, 'the id and nothing else').toMatch(/^tsk_\w+\n$/);
    }
  });

  it('prints one JSON object, and everything else on standard error', async () => {
    const ran = await place.run(['run', 'GOAL-SPLIT please', '--json']);
    const result = jsonOf(ran);
    expect(result).toMatchObject({
      v: 1,
      status: 'done',
      result: 'both parts are done',
      termination: 'finished',
      artifacts: [],
    });
    expect(result.children).toMatchObject([{ status: 'done' }, { status: 'done' }]);
    expect(result.usage).toMatchObject({ rounds: 4, costUsd: 0, ms: expect.any(Number) });
    expect(ran.stderr).toMatch(/executor-1 +done/);
    const tree = (await place.run(['show', String(result.taskId)])).stdout;
    expect(tree).toMatch(/^├─ executor-1 +done/m);
    expect(tree).toMatch(/^└─ executor-2 +done/m);
  });

  it('tells planner and user what an executor claims and its journal does not show', async () => {
    const ran = await place.run(['run', 'GOAL-LIE please', '--workers', '1']);
    expect(ran.stdout).toMatch(/executor-1 +done +finished · unverified: counted, saved, users\.csv, 4,711/);
    expect(ran.stdout).toContain('The number of users is not known.');
    const planner = model.asked.findLast(({ text }) => text.includes('GOAL-LIE'));
    expect(planner?.text).toContain('no call that succeeded wrote this file');
    const taskId = taskIn(ran.stdout);
    expect((await place.run(['show', taskId])).stdout).toMatch(/executor-1 +done +UNVERIFIED counted, saved/);
    const { result } = jsonOf(await place.run(['show', taskId, '--json'])) as {
      result: { children: { unverified: object[] }[] };
    };
    const [child] = result.children;
    expect(child?.unverified).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ kind: 'file', about: 'users.csv' })]),
    );
  });

  it('prints events with sequences, after which a watcher can go on', async () => {
    const ran = await place.run(['run', 'GOAL-ANSWER again', '--workers', '1', '--stream-json']);
    const lines = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const seqs = lines.filter((line) => line.event).map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(lines.at(-1)).toMatchObject({ result: { status: 'done' } });
    expect(lines[0].event).toMatchObject({ kind: 'started', role: 'planner' });
  });

  it('keeps an audit log when there is a key, and shows an original to whoever has it and says why', async () => {
    const audited = { env: { HACT_AUDIT_KEY: '5a'.repeat(32), HACT_DATA_DIR: join(place.folder, 'audited') } };
    const ran = await place.run(['run', 'GOAL-WRITE for ana@example.com', '--workers', '1', '--yes'], audited);
    const taskId = taskIn(ran.stdout);
    expect(ran.stdout).not.toContain('ana@example.com');
    const listed = (await place.run(['audit', taskId], audited)).stdout;
    expect(listed).toMatch(/call\.allowed \S+ apr_\S+ by ana/);
    expect(listed).toMatch(/tool\.ran \S+ r1c1 write_file ok [0-9a-f]{16} by ana/);
    const entry = /(\S+:\d+) \S+ kept email/.exec(listed)?.[1] ?? 'no entry';
    const reveal = ['audit', taskId, '--reveal', entry];
    expect(await place.run(reveal, audited), 'without a reason').toMatchObject({ code: 1, stdout: '' });
    const shown = await place.run([...reveal, '--reason', 'complaint 7'], audited);
    expect(shown).toMatchObject({ code: 0, stdout: 'ana@example.com\n' });
    expect((await place.run(['audit', taskId], audited)).stdout).toContain(`revealed ${entry} to ana: complaint 7`);
  });

  it('allows with --yes what it would ask for', async () => {
    const ran = await place.run(['run', 'GOAL-WRITE it', '--workers', '1', '--yes']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('allowed write_file');
    expect(await readFile(join(place.folder, 'out.md'), 'utf8')).toBe('# 报告\n');
  });

  it('waits for a decision from elsewhere, and exits with 4 when it is no', async () => {
    const running = place.start(['run', 'GOAL-WRITE that', '--workers', '1']);
    await running.says('NEEDS APPROVAL → hact approve');
    const asked = jsonOf(await place.run(['approve', '--json'])) as { requests: { id: string }[] };
    expect(asked.requests).toHaveLength(1);
    const id = asked.requests[0]?.id ?? '';
    expect((await place.run(['deny', id, '--reason', 'not here'])).stdout).toContain('denied');
    expect(await place.run(['approve', id])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('denied by ana already'),
    });
    const ran = await running.done;
    expect(ran.code).toBe(4);
    expect(ran.stdout).toContain('It was not allowed.');
  });

  it('prints what there is when the budget is used up, and exits with 3', async () => {
    const ran = await place.run(['run', 'GOAL-LOOP', '--workers', '1', '--budget-rounds', '2', '--approval', 'auto']);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('Not finished: GOAL-LOOP');
    expect(ran.stdout).toContain('exhausted: rounds exhausted');
  });

  it('exits with 124 when the deadline passes', async () => {
    expect((await place.run(['run', 'GOAL-WRITE late', '--workers', '1', '--budget-seconds', '10'])).code).toBe(124);
  });

  it('exits with 6 when the model cannot be reached', async () => {
    const gone = await startTestModel(() => ({ say: '' }));
    await gone.close();
    const ran = await place.run(['run', 'GOAL-ANSWER', '--workers', '1', '--model-base-url', gone.url]);
    expect(ran).toMatchObject({ code: 6, stdout: '' });
    expect(ran.stderr).toContain('is not reachable: ECONNREFUSED');
  });

  it('hands the file on standard input to its workers', async () => {
    await writeFile(join(place.folder, 'list.txt'), 'x');
    const ran = await place.run(['run', 'GOAL-ANSWER', '--workers', '1', '--file', '-', '--file', 'list.txt'], {
      stdin: 'a,b\n1,2\n',
    });
    expect(ran.code).toBe(0);
    const prompt = model.asked.at(-1)?.text ?? '';
    expect(prompt).toContain(join(place.folder, 'list.txt'));
    const kept = /\S*\/input\/\w+\/stdin/.exec(prompt)?.[0] ?? '';
    expect(await readFile(kept, 'utf8')).toBe('a,b\n1,2\n');
  });
});

describe('Ctrl-C', () => {
  it('once leaves the task, which goes on when workers run again', async () => {
    held = gate();
    const running = place.start(['run', 'GOAL-HOLD on', '--workers', '1']);
    await running.says(/planner +started/);
    running.child.kill('SIGINT');
    await running.says('Ctrl-C once more cancels it');
    const left = await running.done;
    expect(left.code).toBe(130);
    const taskId = taskIn(left.stdout);
    expect((await place.run(['ls', '--running'])).stdout).toContain(taskId);
    held.release();
    const dev = place.start(['dev']);
    await dev.says(new RegExp(`${taskId}.*planner +done`));
    expect(await place.run(['watch', taskId])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('held and released'),
    });
    dev.child.kill('SIGINT');
    expect((await dev.done).code).toBe(0);
  });

  it('twice cancels it', async () => {
    held = gate();
    const running = place.start(['run', 'GOAL-HOLD tight', '--workers', '1']);
    await running.says(/planner +started/);
    running.child.kill('SIGINT');
    await running.says('Ctrl-C once more');
    running.child.kill('SIGINT');
    const ran = await running.done;
    expect(ran.code).toBe(130);
    expect(ran.stdout).toContain('cancelled');
  });

  it('kill -9 leaves no process behind', async () => {
    held = gate();
    const running = place.start(['run', 'GOAL-HOLD for ever', '--workers', '1']);
    await running.says(/planner +started/);
    running.child.kill('SIGKILL');
    await running.done;
    // The setup of the whole run fails when a process is left.
  });
});
