import type { Msg } from 'nats';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PullEnd, Puller } from '../../src/bus/pull.js';
import type { Wire } from '../../src/bus/wire.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A puller whose requests reach nobody; what the server says comes by `hear`. */
function stage() {
  let hear: (msg: Msg) => void = () => undefined;
  const ends: PullEnd[] = [];
  const wire = {
    connected: true,
    newInbox: () => 'inbox.',
    listen: (_: string, handle: (msg: Msg) => void) => {
      hear = handle;
    },
    onStatus: () => () => undefined,
    tellWithReply: () => true,
  } as unknown as Wire;
  const puller = new Puller(
    wire,
    { stream: 'WAKE', consumer: 'toy' },
    () => undefined,
    (end) => ends.push(end),
  );
  const deliver = () =>
    hear({ subject: 'inbox.1', reply: '$JS.ACK.WAKE.toy.1.1.1.1.0', data: new Uint8Array() } as unknown as Msg);
  const sign = () => hear({ subject: 'inbox.1', headers: { code: 100 } } as unknown as Msg);
  return { deliver, ends, puller, sign };
}

describe('a long request for messages', () => {
  it('of which nothing is heard counts as lost within four seconds', () => {
    const { ends, puller } = stage();
    puller.pull(1, 30_000);
    vi.advanceTimersByTime(2_000);
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(2_000);
    expect(ends).toEqual(['gone']);
    expect(puller.underway).toBe(0);
  });

  it('is open for as long as the server gives signs of life', () => {
    const { ends, puller, sign } = stage();
    puller.pull(1, 30_000);
    for (let second = 0; second < 20; second += 1) {
      vi.advanceTimersByTime(1_000);
      sign();
    }
    expect(ends).toEqual([]);
    expect(puller.underway).toBe(1);
  });

  it('is over when all that was asked for has come: silence means nothing then', () => {
    const { deliver, ends, puller } = stage();
    puller.pull(1, 30_000);
    deliver();
    vi.advanceTimersByTime(20_000);
    expect(ends).toEqual([]);
  });

  it('is not taken for lost by a process that was too busy to read the signs of life', () => {
    const { ends, puller, sign } = stage();
    puller.pull(1, 30_000);
    vi.advanceTimersByTime(2_500); // as when all timers are late and run before the socket is read
    sign();
    vi.advanceTimersByTime(1_000);
    expect(ends).toEqual([]);
  });
});
