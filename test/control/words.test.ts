import { describe, expect, it } from 'vitest';
import { protocol } from '../../src/control/protocol.js';
import { readRequest } from '../../src/control/words.js';

const submit = (body: string) => readRequest(protocol['task.submit'].request, body, 'task.submit');
const words = (body: string): string => {
  const read = submit(body);
  return read.ok ? 'accepted' : `${read.failure.kind}: ${read.failure.message}`;
};
const json = (value: unknown) => words(JSON.stringify(value));

describe('a request that cannot be used', () => {
  it.each([
    ['', 'invalid_request: expected a JSON object, got an empty message'],
    [' \n', 'invalid_request: expected a JSON object, got an empty message'],
    ['null', 'invalid_request: the request: expected an object, got null'],
    ['[1,2]', 'invalid_request: the request: expected an object, got a list of 2'],
    ['"hello"', 'invalid_request: the request: expected an object, got "hello"'],
    ['{}', 'invalid_request: "goal" is missing: expected a text'],
    ['{"goal":""}', 'invalid_request: "goal": expected a text that is not empty, got ""'],
    ['{"goal":"  "}', 'invalid_request: "goal": expected a text that is not empty, got "  "'],
    ['{"goal":7}', 'invalid_request: "goal": expected a text, got 7'],
    [
      '{"goal":"g","kind":"chat"}',
      'invalid_request: "kind": expected one of "question", "general", "coding", got "chat"',
    ],
    ['{"goal":"g","budget":{"rounds":"12"}}', 'invalid_request: "budget.rounds": expected a number, got "12"'],
    ['{"goal":"g","budget":{"rounds":1.5}}', 'invalid_request: "budget.rounds": expected a whole number, got 1.5'],
    [
      '{"goal":"g","budget":{"rounds":0}}',
      'invalid_request: "budget.rounds": expected a number that is more than 0, got 0',
    ],
    [
      '{"goal":"g","budget":{"rounds":-1}}',
      'invalid_request: "budget.rounds": expected a number that is more than 0, got -1',
    ],
    [
      '{"goal":"g","role":"a.*"}',
      'invalid_request: "role": expected a role name of 1 to 128 characters out of letters, digits, "_" and "-", got "a.*"',
    ],
    ['{"goal":"g","budget":[]}', 'invalid_request: "budget": expected an object, got a list of 0'],
    ['{"goal":"g","files":"a.csv"}', 'invalid_request: "files": expected a list, got "a.csv"'],
    ['{"goal":"g","files":[""]}', 'invalid_request: "files.0": expected a text that is not empty, got ""'],
  ])('%s', (body, said) => {
    expect(words(body)).toBe(said);
  });

  it('names unknown fields and the known ones beside them', () => {
    expect(json({ goal: 'g', bugdet: {} })).toMatch(
      /^invalid_request: unknown field "bugdet"; known are goal, context, files/,
    );
    expect(json({ goal: 'g', budget: { round: 12 } })).toBe(
      'invalid_request: unknown field "round" in "budget"; known are rounds, tokens, costUsd, toolCalls, children, seconds',
    );
    expect(words('{"goal":"g","__proto__":{"x":1}}')).toMatch(/unknown field "__proto__"/);
  });

  it('refuses ids that could not stand in a subject', () => {
    for (const id of ['a.b', 'a*', '>', 'a b', '', 'x'.repeat(129), 'tsk_å']) {
      const read = readRequest(protocol['task.get'].request, JSON.stringify({ taskId: id }), 'task.get');
      expect(read).toMatchObject({
        ok: false,
        failure: { kind: 'invalid_request', message: expect.stringContaining('letters, digits') },
      });
    }
  });

  it('tells every mistake, but not endlessly', () => {
    expect(json({ goal: 7, kind: 'x', files: 1 })).toMatch(/"goal".*; "files".*; "kind"/);
    expect(json({ goal: 'g', files: Array.from({ length: 50 }, () => 1) })).toMatch(/and 45 more$/);
  });

  it('does not repeat long texts', () => {
    expect(json({ goal: 'g', kind: 'x'.repeat(5000) }).length).toBeLessThan(250);
    expect(json({ goal: 'g', ['k'.repeat(5000)]: 1 }).length).toBeLessThan(400);
  });

  it('says where text stops to be JSON', () => {
    expect(words('{"goal": "g",}')).toMatch(/^invalid_request: expected a JSON object, got text that is not JSON: /);
    expect(submit('{"goal"')).toMatchObject({ failure: { hint: expect.stringContaining('task.submit.request.json') } });
  });

  it('is refused by size and depth before anything looks into it', () => {
    expect(json({ goal: 'g', context: 'x'.repeat(2_000_000) })).toMatch(
      /^too_large: expected a request of at most 1048576 bytes, got 20/,
    );
    expect(words(`{"goal":"g","resultSchema":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).toMatch(
      /at most 100 levels/,
    );
    expect(json({ goal: '长'.repeat(100_001) })).toMatch(/"goal": expected at most 100000 characters, got/);
  });

  it('steers either a task or an agent', () => {
    const cancel = (body: object) => readRequest(protocol['task.cancel'].request, JSON.stringify(body), 'task.cancel');
    for (const body of [{}, { taskId: 'a', agentId: 'b' }]) {
      expect(cancel(body)).toMatchObject({
        failure: { message: expect.stringContaining('either "taskId" or "agentId"') },
      });
    }
    expect(cancel({ agentId: 'a-1' })).toMatchObject({ ok: true, value: { by: 'client' } });
  });
});
