import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../../src/bus/contract.js';
import type { AgentId } from '../../../src/domain/id.js';
import type { JournalRecord } from '../../../src/domain/journal.js';
import { type BusHarness, failureOf, freshAgent, kindOf, leaseMs, type MakeHarness, must, record } from './harness.js';

export function describeJournal(makeHarness: MakeHarness): void {
  describe('journal', () => {
    let harness: BusHarness;
    let bus: Bus;
    let other: Bus;
    beforeAll(async () => {
      harness = await makeHarness({ leaseMs });
      bus = await harness.open();
      other = await harness.open();
    });
    afterAll(() => harness.end());
    const run = <T>(promise: Promise<T>) => harness.until(promise);

    it('takes a first record after 0 and gives it back with its sequence', async () => {
      const agent = freshAgent();
      const seq = must(await run(bus.journal.append(agent, record(1), 0)));
      expect(seq).toBeGreaterThan(0);
      expect(must(await run(other.journal.read(agent, 0)))).toEqual([{ seq, value: record(1) }]);
    });

    it('takes a record after the last one, and gives them in order', async () => {
      const agent = freshAgent();
      let last = 0;
      const seqs: number[] = [];
      for (let epoch = 1; epoch <= 5; epoch += 1) {
        last = must(await run(bus.journal.append(agent, record(epoch), last)));
        seqs.push(last);
      }
      const read = must(await run(bus.journal.read(agent, 0)));
      expect(read.map(({ seq }) => seq)).toEqual(seqs);
      expect(read.map(({ value }) => value.epoch)).toEqual([1, 2, 3, 4, 5]);
    });

    it('reads only what lies after a sequence', async () => {
      const agent = freshAgent();
      const first = must(await run(bus.journal.append(agent, record(1), 0)));
      const second = must(await run(bus.journal.append(agent, record(2), first)));
      expect(must(await run(bus.journal.read(agent, first))).map(({ seq }) => seq)).toEqual([second]);
      expect(must(await run(bus.journal.read(agent, second)))).toEqual([]);
    });

    it('reads a long log whole and in order, among the records of others', async () => {
      const agents = [freshAgent(), freshAgent(), freshAgent()];
      await run(
        Promise.all(
          agents.map(async (agent) => {
            let last = 0;
            for (let epoch = 1; epoch <= 120; epoch += 1)
              last = must(await bus.journal.append(agent, record(epoch), last));
          }),
        ),
      );
      for (const agent of agents) {
        const read = must(await run(other.journal.read(agent, 0)));
        expect(read.map(({ value }) => value.epoch)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
        const tail = must(await run(other.journal.read(agent, read[20]?.seq ?? 0)));
        expect(tail).toEqual(read.slice(21));
      }
    });

    it('reads nothing of an agent that has no records', async () => {
      expect(must(await run(bus.journal.read(freshAgent(), 0)))).toEqual([]);
    });

    it('refuses a record after a sequence that is not the last, and keeps the log as it was', async () => {
      const agent = freshAgent();
      const first = must(await run(bus.journal.append(agent, record(1), 0)));
      const second = must(await run(other.journal.append(agent, record(2, 'host-2'), first)));
      expect(kindOf(await run(bus.journal.append(agent, record(3), first)))).toBe('conflict');
      expect(kindOf(await run(bus.journal.append(agent, record(3), 0)))).toBe('conflict');
      expect(kindOf(await run(bus.journal.append(agent, record(3), second + 100)))).toBe('conflict');
      expect(must(await run(bus.journal.read(agent, 0))).map(({ seq }) => seq)).toEqual([first, second]);
    });

    it('keeps the logs of agents apart, also when one id begins with the other', async () => {
      const parent = freshAgent();
      const child = `${parent}-1` as AgentId;
      const first = must(await run(bus.journal.append(parent, record(1), 0)));
      must(await run(bus.journal.append(child, record(7), 0)));
      must(await run(bus.journal.append(parent, record(2), first)));
      expect(must(await run(bus.journal.read(child, 0))).map(({ value }) => value.epoch)).toEqual([7]);
      expect(must(await run(bus.journal.read(parent, 0))).map(({ value }) => value.epoch)).toEqual([1, 2]);
    });

    it('lets exactly one of 50 win that append after the same record at once', async () => {
      const agent = freshAgent();
      const start = must(await run(bus.journal.append(agent, record(1), 0)));
      const attempts = Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? bus : other).journal.append(agent, record(2, `host-${index}`), start),
      );
      const outcomes = await run(Promise.all(attempts));
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      expect(outcomes.filter((outcome) => kindOf(outcome) === 'conflict')).toHaveLength(49);
      const winner = outcomes.findIndex(({ ok }) => ok);
      const [, second, ...more] = must(await run(bus.journal.read(agent, 0)));
      expect(second?.value).toEqual(record(2, `host-${winner}`));
      expect(more).toEqual([]);
    });

    it('loses no record and repeats none when 50 appenders race and try again', async () => {
      const agent = freshAgent();
      const appendOnce = async (index: number): Promise<void> => {
        for (;;) {
          const last = must(await bus.journal.read(agent, 0)).at(-1)?.seq ?? 0;
          const outcome = await (index % 2 === 0 ? bus : other).journal.append(agent, record(index), last);
          if (outcome.ok) return;
          expect(failureOf(outcome).kind).toBe('conflict');
        }
      };
      const appenders = 8;
      await run(Promise.all(Array.from({ length: appenders }, (_, index) => appendOnce(index))));
      const epochs = must(await run(bus.journal.read(agent, 0))).map(({ value }) => value.epoch);
      expect(epochs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: appenders }, (_, index) => index));
    });

    it('keeps text of every script as it was', async () => {
      const agent = freshAgent();
      const host = '主机-१-🜁-é';
      must(await run(bus.journal.append(agent, record(1, host), 0)));
      expect(must(await run(bus.journal.read(agent, 0)))[0]?.value).toEqual(record(1, host));
    });

    it('refuses a record that is larger than a message may be, before it is sent', async () => {
      const agent = freshAgent();
      const huge: JournalRecord = record(1, 'x'.repeat(2_000_000));
      const refusal = failureOf(await run(bus.journal.append(agent, huge, 0)));
      expect(refusal.kind).toBe('too_large');
      expect(refusal.message).toContain('bytes');
      expect(must(await run(bus.journal.read(agent, 0)))).toEqual([]);
    });

    it.each(['a.b', '*', '>', 'a b', 'a\nb', '', 'x'.repeat(200)])('refuses %j as an agent id', async (id) => {
      expect(kindOf(await run(bus.journal.append(id as AgentId, record(1), 0)))).toBe('invalid_request');
      expect(kindOf(await run(bus.journal.read(id as AgentId, 0)))).toBe('invalid_request');
    });
  });
}
