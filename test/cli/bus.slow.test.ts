/** `hact bus` on the server of a data folder. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonOf, openPlace, type Place } from './hact.js';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.remove());

describe('hact bus', () => {
  it('says in one line when there is no server, like every command that looks', async () => {
    for (const args of [['bus'], ['bus', 'dead'], ['ls'], ['show', 'tsk_1'], ['watch', 'tsk_1'], ['cost', 'tsk_1']]) {
      const { code, stderr } = await place.run(args);
      expect(`${args[0]} ${stderr}`).toMatch(/ hact: no NATS server is known .* → set NATS_URL, or .*\n$/);
      expect(code).toBe(5);
    }
  });

  it('shows streams, what waits in them, and dead letters, for people and for programs', async () => {
    expect((await place.run(['submit', 'count'])).code).toBe(0);
    const shown = await place.run(['bus']);
    expect(shown.stdout).toMatch(/HACT_V1_INBOX +1 +\d+ +0\n/);
    expect(shown.stdout).toContain('dead letters: 0');
    const json = jsonOf(await place.run(['bus', '--json'])) as { streams: { name: string; messages: number }[] };
    expect(json).toMatchObject({ v: 1, consumers: [], deadLetters: 0 });
    expect(json.streams.find(({ name }) => name === 'HACT_V1_WAKE')).toMatchObject({ there: true, messages: 1 });
    expect(jsonOf(await place.run(['bus', 'providers', '--json']))).toEqual({ v: 1, models: [], limits: [] });
    expect(jsonOf(await place.run(['bus', 'dead', '--json']))).toEqual({ v: 1, deadLetters: [] });
  });

  it('refuses what it does not know', async () => {
    expect(await place.run(['bus', 'requeue', '7'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no dead letter 7'),
    });
    expect(await place.run(['bus', 'requeue', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('whole number'),
    });
    expect(await place.run(['bus', 'nonsense'])).toMatchObject({ code: 2 });
  });

  it('writes users, and tells how to start with them', async () => {
    const written = await place.run(['bus', 'users', '--out', 'u', '--user', 'hact_worker_b']);
    expect(written.stdout).toMatch(/nats-server -c .*server\.conf/);
    expect(written.stdout).toContain('hact_worker_b.env');
    expect(await place.run(['bus', 'users', '--out', 'u'])).toMatchObject({ code: 2 });
    expect(await place.run(['bus', 'users', '--out', 'w', '--user', 'root'])).toMatchObject({ code: 2 });
  });
});
