import { describe, expect, it } from 'vitest';
import type { Bus } from '../../src/bus/contract.js';
import { ok } from '../../src/domain/failure.js';
import type { AgentId } from '../../src/domain/id.js';
import type { Hosted } from '../../src/host/hosted.js';
import { standingOf, whenCertain } from '../../src/host/standing.js';
import { virtualTiming } from '../tools/fixtures.js';

/** A host in epoch 1 with a journal of which it knows the first record; `epochs` are those of the records after it. */
function stage(epochs: readonly number[] = []) {
  const clock = virtualTiming();
  const state = { looks: 0, isConfirmed: true, lapses: 0 };
  const hosted = { agentId: 'a1' as AgentId, epoch: 1, seq: 1, provenAt: clock.elapsed() } as Hosted;
  const journal = {
    read: async () => {
      state.looks += 1;
      return ok(epochs.map((epoch, index) => ({ seq: index + 2, value: { epoch } })));
    },
  };
  const leases = { confirmed: () => state.isConfirmed, lapses: () => state.lapses };
  const standing = standingOf(hosted, { bus: { journal } as unknown as Bus, clock, leases });
  return { clock, state, standing };
}

describe('whether an agent is still ours', () => {
  it('is sure for a moment after a record of ours, and then asked of the journal, once for a while', async () => {
    const { clock, state, standing } = stage();
    expect([await standing(), state.looks]).toEqual(['sure', 0]);
    clock.advance(1_000);
    expect([await standing(), state.looks]).toEqual(['sure', 1]);
    expect([await standing(), state.looks]).toEqual(['sure', 1]);
  });

  it('is told by the journal though nobody ever doubted our sign of life', async () => {
    const { clock, standing } = stage([2]);
    clock.advance(1_000);
    expect(await standing()).toBe('replaced');
  });

  it('is asked of the journal at once when we could be taken for dead meanwhile', async () => {
    const { state, standing } = stage([2]);
    state.lapses = 1;
    expect(await standing()).toBe('replaced');
  });

  it('is in doubt while our sign of life is, and waited for until it no longer matters', async () => {
    const { clock, state, standing } = stage();
    state.isConfirmed = false;
    expect(await standing()).toBe('in doubt');
    let isOver = false;
    const waiting = whenCertain(standing, clock, () => isOver);
    isOver = true;
    expect(await clock.until(waiting)).toBe('in doubt');
  });
});
