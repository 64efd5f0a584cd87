import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packRecord, unpackRecord } from '../../src/bus/record.js';
import { encode } from '../../src/bus/text.js';
import { type JournalRecord, journalRecordSchema } from '../../src/domain/journal.js';
import { failureOf, must } from './conformance/harness.js';

const golden: JournalRecord[] = readFileSync(new URL('../host/golden/0.1.0-takeover.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => (JSON.parse(line) as { records: { value: unknown }[] }).records)
  .map(({ value }) => journalRecordSchema.parse(value));

/** Written when form 1 was made: it must stay readable for good. */
const stored = Buffer.from(
  'AUNLWMYwL1iaGRiZmpsZmVqYUS+NEZtaQFVhPKg/g5bi4NH+ckrD0ynrXi6aq2CoY2RgomdqgJwQUNwOjQlDtKggKuTAMWWol28EaktBw9AEMwwB',
  'base64',
);
const meant: JournalRecord = {
  v: 1,
  epoch: 3,
  at: 1_796_025_762_586,
  kind: 'step',
  events: [
    {
      type: 'xstate.done.actor.callTools',
      output: { observations: [{ callId: 'r1c1', name: 'read_file', status: 'ok', data: '销售额 1,204.50' }] },
      at: 1_796_025_762_586,
      ref: 'e1',
    },
  ],
  intents: [],
  stopped: [],
  outgoing: [],
  sent: ['tsk_1.o2'],
  inbox: 4,
  state: 'decide',
};

describe('a stored record', () => {
  it('is read as it was written, and takes a third of its text', () => {
    for (const record of golden)
      expect(must(unpackRecord(packRecord(encode(record), 7), 'here'))).toEqual({ record, after: 7 });
    const bytes = golden.reduce((sum, record) => sum + packRecord(encode(record), 7).length, 0);
    const text = golden.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)), 0);
    expect(bytes / text).toBeLessThan(1 / 3);
  });

  it('is read as it was written whatever its length, and whatever it has of the words that are near', () => {
    const output = golden
      .flatMap((record) => (record.kind === 'step' ? record.events : []))
      .map((event) => event.output);
    for (const chars of [0, 1, 1_700, 1_800, 2_000, 5_000, 40_000, 300_000]) {
      const data = JSON.stringify(output).repeat(10).slice(0, chars);
      const record = { ...meant, events: [{ type: 'xstate.done.actor.callTools', output: { data, 数据: '销售额' } }] };
      expect(must(unpackRecord(packRecord(encode(record), 7), 'here'))).toEqual({ record, after: 7 });
    }
  });

  it('of form 1 stays readable, whatever this version writes, and does not say what came before it', () => {
    expect(must(unpackRecord(stored, 'here'))).toEqual({ record: meant, after: undefined });
  });

  it('of form 2 stays readable', () => {
    const chained = Buffer.concat([Buffer.from([2, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc]), stored.subarray(1)]);
    expect(must(unpackRecord(chained, 'here'))).toEqual({ record: meant, after: 0x12_34_56_78_9a_bc });
  });

  it('may be plain text, as before forms were numbered', () => {
    expect(must(unpackRecord(Buffer.from(JSON.stringify(meant)), 'here'))).toMatchObject({ record: meant });
  });

  it('of a later form is left to a later version', () => {
    const failure = failureOf(unpackRecord(Buffer.from([3, 1, 2, 3]), 'record 7 of a subject'));
    expect(failure).toMatchObject({ kind: 'unsupported_version' });
    expect(failure.message).toContain('record 7 of a subject is stored in form 3');
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['other bytes', Buffer.from('"text"')],
    ['a byte more than form', Buffer.from([1, 255, 255])],
    ['cut within its head', Buffer.from([2, 0, 0, 0])],
    ['nothing but its head', Buffer.from([2, 0, 0, 0, 0, 0, 7])],
    ['a half', stored.subarray(0, 60)],
    ['a value that is no record', Buffer.concat([Buffer.of(1), deflateRawSync('{"v":1}')])],
    ['more than memory holds', Buffer.concat([Buffer.of(1), deflateRawSync(Buffer.alloc(100 * 1024 * 1024))])],
  ])('that is %s is damage, said with its place', (_, bytes) => {
    const failure = failureOf(unpackRecord(bytes, 'record 7 of a subject'));
    expect(failure).toMatchObject({ kind: 'damaged' });
    expect(failure.message).toContain('record 7 of a subject is corrupt');
  });
});
