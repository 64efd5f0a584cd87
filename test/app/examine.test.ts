/** What the doctor makes of a server's version and room, in words. */
import { expect, it } from 'vitest';
import { storageFinding, versionFindings } from '../../src/app/examine.js';

const elsewhere = { nats: { url: 'nats://bus.example:4222', prefix: 'hact.v1' } };
const here = { nats: { url: 'nats://a:b@127.0.0.1:4222', prefix: 'hact.v1' } };
const told = (version: string, settings: typeof here = here): string[] =>
  versionFindings(version, 'x', settings).map(({ name, state }) => `${name} ${state}`);

it.each([
  ['2.9.9', ['nats bad']],
  ['2.9.10', ['nats ok', 'durability note', 'speed note']],
  ['2.10.4', ['nats ok', 'speed note']],
  ['2.11.0', ['nats ok']],
])('of version %s it says %j', (version, findings) => {
  expect(told(version)).toEqual(findings);
});

it.each([
  ['2.12.11', true],
  ['2.12.12', false],
  ['2.13.9', true],
  ['2.14.2', true],
  ['2.14.3', false],
  ['2.15.0', true],
  ['2.15.1', false],
  ['2.16.0', false],
])('warns of the holes of version %s where others can reach it: %s', (version, warns) => {
  expect(told(version, elsewhere).includes('security note')).toBe(warns);
  expect(told(version, here)).not.toContain('security note');
});

const gigabytes = 1_000_000_000;
it.each([
  ['an account that is nearly full', [{ of: 'the account', bytes: 99, most: 100 }], undefined, 'bad', 'the account'],
  ['a stream at four fifths', [{ of: 'stream S', bytes: 81, most: 100 }], undefined, 'note', 'stream S'],
  ['a full disk', [], 1_000_000, 'bad', '1 MB are free'],
  ['a small disk', [], 0.5 * gigabytes, 'note', '500 MB are free'],
  ['much room', [{ of: 'the account', bytes: 2_000_000, most: undefined }], 5 * gigabytes, 'ok', '2 MB are stored'],
  ['a user who may not ask', undefined, undefined, 'ok', 'hact_admin may'],
] as const)('of %s it says so', (_, rooms, free, state, words) => {
  const finding = storageFinding(rooms, free);
  expect(finding).toMatchObject({ state, words: expect.stringContaining(words) });
  expect(finding.advice === undefined).toBe(state === 'ok');
});
