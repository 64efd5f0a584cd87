import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonOf, openPlace, type Place } from './hact.js';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
  await writeFile(join(place.folder, 'empty.csv'), '');
  await mkdir(join(place.folder, 'folder'));
});
afterAll(() => place.remove());

let folders = 0;
/** These run side by side: each with a data folder, and so a NATS server, of its own. */
const ownData = () => ({ HACT_DATA_DIR: join(place.folder, `data-${++folders}`) });

const oneLine = /^hact: [^\n]+\n$/;

describe('a command line that cannot be used', () => {
  it.concurrent.each([
    [['bogus'], 'unknown command'],
    [['run'], "missing required argument 'goal'"],
    [['run', 'a', 'b'], 'too many arguments'],
    [['run', 'g', '--nonsense'], 'unknown option'],
    [['run', 'g', '--kind', 'chat'], 'Allowed choices are question'],
    [['run', 'g', '--file', 'missing.csv'], 'there is no such file'],
    [['run', 'g', '--file', 'folder'], 'is a folder'],
    [['run', 'g', '--file', 'empty.csv'], 'is empty'],
    [['run', 'g', '--file', '-'], 'standard input is empty'],
    [['run', 'g', '--file', 'empty.csv/x'], 'is not a folder'],
    [['run', 'g', '--budget-rounds', 'many'], 'budget.rounds: expected a whole number'],
    [['run', 'g', '--result-schema', '{'], 'expected a JSON object'],
    [['run', ' '], '"goal": expected a text that is not empty'],
    [['submit', 'g', '--role', 'a.b'], '"role"'],
    [['show', 'a.b'], 'expected a task id'],
    [['watch', '*'], 'expected a task id'],
    [['pause', 'a b'], 'expected a task id'],
    [['approve', 'a.b'], 'expected the id of a request'],
    [['correct', 'tsk_A', 'x', '--memory', '[]'], '--memory: expected a JSON object'],
    [['budget', 'tsk_A'], 'expected at least one limit'],
    [['machines', 'nothing'], 'there is no statechart'],
    [['audit'], 'no audit key is set'],
    [['audit', '--audit-key', 'short'], 'audit.key: expected 64 hex digits'],
    [['protocol', 'nothing'], 'there is no message'],
  ])('%j exits with 2 and one line', async (args, said) => {
    const { code, stdout, stderr } = await place.run(args, { env: ownData() });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toContain(said);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('says so as JSON too when that is wanted', async () => {
    const ran = await place.run(['run', 'g', '--file', 'missing.csv', '--json']);
    expect(jsonOf(ran)).toMatchObject({ v: 1, error: { kind: 'invalid_request', retryable: false } });
    expect(ran.code).toBe(2);
    expect(jsonOf(await place.run(['show', 'a.b', '--json']))).toMatchObject({ error: { kind: 'invalid_request' } });
  });

  it('tells every mistake of the configuration at once', async () => {
    const env = { HACT_BUDGET_TOKENS: 'many', HACT_APPROVAL: 'maybe', HACT_BUGDET_USD: '1' };
    const { code, stderr } = await place.run(['ls'], { env });
    expect(code).toBe(2);
    for (const said of ['budget.tokens', 'approval.policy', 'HACT_BUGDET_USD']) expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('what cannot be reached', () => {
  it.concurrent.each([
    ['ls'],
    ['show', 'tsk_A'],
    ['watch', 'tsk_A'],
    ['cancel', 'tsk_A'],
    ['worker'],
    ['inspect'],
    ['run', 'g'],
    ['submit', 'g'],
  ])('NATS away: hact %s exits with 5', async (...args) => {
    const { code, stderr } = await place.run(args, { env: { NATS_URL: 'nats://127.0.0.1:1' } });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toContain('127.0.0.1:1');
    expect(code).toBe(5);
  });

  it('a folder that may not be written to', async () => {
    await writeFile(join(place.folder, 'a-file'), 'x');
    const { code, stderr } = await place.run(['submit', 'g', '--data-dir', 'a-file/inside']);
    expect(stderr).toMatch(oneLine);
    expect([2, 5]).toContain(code);
  });
});

describe('commands that need nothing', () => {
  it.concurrent('help and version', async () => {
    const help = await place.run(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const name of 'run dev worker submit watch ls show pause resume correct cancel approve deny answer replay cost machines parse doctor inspect demo logs audit'.split(
      ' ',
    )) {
      expect(help.stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    }
    expect(await place.run(['run', '--help'])).toMatchObject({ code: 0 });
    expect((await place.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.concurrent('machines draws the statechart, or prints it as data', async () => {
    const page = await readFile(new URL('../../docs/machines/agent.md', import.meta.url), 'utf8');
    const { stdout } = await place.run(['machines']);
    expect(stdout).toMatch(/^stateDiagram-v2\n/);
    expect(page, 'as in the docs').toContain(stdout.trim());
    const chart = jsonOf(await place.run(['machines', 'agent', '--json']));
    expect(chart).toMatchObject({ id: 'agent', initial: 'perceive' });
  });

  it.concurrent('protocol prints schemas', async () => {
    expect((await place.run(['protocol'])).stdout.split('\n')).toContain('task.submit.request');
    expect(JSON.parse((await place.run(['protocol', 'report'])).stdout)).toMatchObject({
      title: 'report',
      type: 'object',
    });
  });

  it.concurrent('parse answers each line, and tells a bad one by its number', async () => {
    const tool = {
      type: 'function',
      function: { name: 'get', parameters: { type: 'object', properties: { n: { type: 'integer' } } } },
    };
    const lines = [
      { id: 'a', text: "<think>hm</think>{'name': 'get', 'arguments': {'n': '5',}}", tools: [tool] },
      { id: 'b', chunks: ['<tool_', 'call>{"name":"get","argum', 'ents":{"n":1}}</tool_call>'], tools: [tool] },
      {
        id: 'c',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'x', type: 'function', function: { name: 'get', arguments: '{"n":2}' } }],
        },
        tools: [tool],
      },
      {
        id: 'd',
        chunks: [{ choices: [{ delta: { content: 'plain' } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }] }],
      },
    ].map((line) => JSON.stringify(line));
    const ran = await place.run(['parse'], { stdin: `${lines.join('\n')}\n\nnot json\n{"id":"e"}\n` });
    const replies = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(replies).toMatchObject([
      {
        id: 'a',
        calls: [{ name: 'get', arguments: { n: 5 } }],
        reasoning: 'hm',
        reasoningTree: { nodes: [{ content: 'hm' }] },
      },
      { id: 'b', calls: [{ name: 'get', arguments: { n: 1 }, confidence: 1, repairs: [] }] },
      { id: 'c', calls: [{ name: 'get', arguments: { n: 2 } }] },
      { id: 'd', calls: [], content: 'plain', state: {}, reasoningTree: { nodes: [] } },
      { id: null, error: { kind: 'invalid_request' } },
      { id: 'e', error: { message: expect.stringContaining('"text"') } },
    ]);
    expect(ran.stderr).toContain('line 6: ');
    expect(ran.code).toBe(2);
  });

  it.concurrent('doctor checks everything, and shows where settings come from with secrets masked', async () => {
    const ran = await place.run(['doctor']);
    expect(ran.code).toBe(0);
    for (const name of ['node', 'nats', 'rights', 'clocks', 'storage', 'model', 'files', 'data'])
      expect(ran.stdout).toMatch(new RegExp(`^. ${name} `, 'm'));
    const env = { OPENAI_API_KEY: 'sk-very-secret-key', HACT_BUDGET_USD: '0.25' };
    const config = await place.run(['doctor', '--config'], { env });
    expect(config.stdout).toMatch(/^budget\.usd\s+0\.25\s+environment HACT_BUDGET_USD$/m);
    expect(config.stdout).not.toContain('very-secret');
  });

  it.concurrent('doctor names what is wrong', async () => {
    const ran = await place.run(
      ['doctor', '--json', '--nats', 'nats://127.0.0.1:1', '--model-base-url', 'http://127.0.0.1:1/v1', '--model', 'm'],
      {
        env: { HACT_FILES_ROOTS: '/there/is/no/such' },
      },
    );
    const { checks } = jsonOf(ran) as { checks: { name: string; state: string }[] };
    expect(Object.fromEntries(checks.map(({ name, state }) => [name, state]))).toMatchObject({
      node: 'ok',
      nats: 'bad',
      model: 'bad',
      files: 'bad',
    });
    expect(checks.find(({ name }) => name === 'files')).toMatchObject({ advice: 'set HACT_FILES_ROOTS' });
    expect(ran.code).toBe(5);
    await chmod(place.folder, 0o755);
  });

  it.concurrent('a reader that goes away is no error', async () => {
    const running = place.start(['protocol', 'event']);
    running.child.stdout?.destroy();
    expect((await running.done).stderr).toBe('');
  });
});
