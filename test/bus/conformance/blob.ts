import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../../src/bus/contract.js';
import { failure } from '../../../src/domain/failure.js';
import type { AgentId } from '../../../src/domain/id.js';
import { type BusHarness, freshAgent, kindOf, leaseMs, type MakeHarness, must } from './harness.js';

export function describeBlobs(makeHarness: MakeHarness): void {
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

  describe('blobs', () => {
    it.each([0, 1, 1_000, 262_144, 262_145, 1_500_000])('keeps %i bytes under their hash', async (size) => {
      const bytes = new Uint8Array(randomBytes(size));
      const name = must(await run(bus.blobs.put(bytes)));
      expect(name).toBe(createHash('sha256').update(bytes).digest('hex'));
      const got = must(await run(other.blobs.get(name)));
      expect(Buffer.compare(got ?? Buffer.from('none'), bytes)).toBe(0);
    });

    it('gives the same name to the same bytes', async () => {
      const bytes = new Uint8Array(randomBytes(100));
      const name = must(await run(bus.blobs.put(bytes)));
      expect(must(await run(other.blobs.put(bytes)))).toBe(name);
    });

    it('has nothing under a hash that was never put', async () => {
      expect(must(await run(bus.blobs.get('0'.repeat(64))))).toBeUndefined();
    });

    it.each(['', 'abc', '../x', '>', 'A'.repeat(64)])('refuses the name %j', async (name) => {
      expect(kindOf(await run(bus.blobs.get(name)))).toBe('invalid_request');
    });
  });

  describe('dead letters', () => {
    it('lists what was put, with agent, reason and detail', async () => {
      const agentId = freshAgent();
      const reason = failure('poisoned', 'crashed its worker five times', 'look at the journal');
      must(await run(bus.dead.put({ agentId, reason, detail: { attempts: 5 } })));
      const letters = must(await run(other.dead.list())).map(({ value }) => value);
      expect(letters).toContainEqual(expect.objectContaining({ agentId, reason, detail: { attempts: 5 } }));
    });

    it('refuses an id that could not stand in a subject', async () => {
      const letter = { agentId: 'a.b' as AgentId, reason: failure('internal', 'x'), detail: {} };
      expect(kindOf(await run(bus.dead.put(letter)))).toBe('invalid_request');
    });
  });
}
