/** Limits per minute that many workers keep together, held against what a provider counts. */
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/llm/gate/allowance.js';
import { memoryCell } from '../../../src/llm/gate/cell.js';
import { type Grant, Limiter } from '../../../src/llm/gate/limiter.js';
import { type VirtualProcess, VirtualTime } from './virtual.js';

const never = new AbortController().signal;
const leaseMs = 6_000;

/** What a provider sees: when requests came, and what each took. */
class Provider {
  readonly counted: { readonly at: number; readonly tokens: number }[] = [];

  /** The most of any sliding minute. */
  most(): Amount {
    const { counted } = this;
    let [from, tokens] = [0, 0];
    let most: Amount = { requests: 0, tokens: 0 };
    const inOrder = counted.toSorted((a, b) => a.at - b.at);
    for (const [index, one] of inOrder.entries()) {
      tokens += one.tokens;
      for (; (inOrder[from]?.at ?? 0) <= one.at - 60_000; from += 1) tokens -= inOrder[from]?.tokens ?? 0;
      most = { requests: Math.max(most.requests, index - from + 1), tokens: Math.max(most.tokens, tokens) };
    }
    return most;
  }
}

interface Member {
  readonly process: VirtualProcess;
  readonly limiter: Limiter;
}

function fleetOf(count: number, limit: Amount, seed = 1) {
  const time = new VirtualTime(seed);
  const shared = memoryCell();
  const provider = new Provider();
  const join = (index: number): Member => {
    const process = time.process();
    const fleet = { workerId: `w${index}`, leaseMs };
    const { world } = process;
    return { process, limiter: new Limiter({ provider: 'p', limit, cell: process.cell(shared), world, fleet }) };
  };
  const members = Array.from({ length: count }, (_, index) => join(index));
  /** A granted call: the provider counts it at some moment between its start and its end. */
  const run = async ({ process, limiter }: Member, grant: Grant, tokens: number, takesMs: number): Promise<void> => {
    const countedAt = time.time + Math.floor(time.random() * takesMs);
    await process.world.sleep(takesMs);
    provider.counted.push({ at: countedAt, tokens: limiter.needOf(tokens).tokens });
    grant.end(tokens);
  };
  const held = async (): Promise<Amount> => {
    const kept = await shared.read();
    const { holdings = {} } = (kept.ok ? kept.value.value : {}) as { holdings?: Record<string, Amount> };
    return Object.values(holdings).reduce<Amount>(
      (sum, one) => ({ requests: sum.requests + one.requests, tokens: sum.tokens + one.tokens }),
      { requests: 0, tokens: 0 },
    );
  };
  return { time, shared, provider, members, join, run, held };
}

/** Calls of all workers, at random moments within so many minutes. Resolves when all have been made. */
async function load(
  fleet: ReturnType<typeof fleetOf>,
  { calls, minutes, tokens, takesMs }: { calls: number; minutes: number; tokens: number; takesMs: number },
): Promise<number> {
  const { time, members, run } = fleet;
  let served = 0;
  const all = Array.from({ length: calls }, async () => {
    const member = members[Math.floor(time.random() * members.length)] as Member;
    await member.process.world.sleep(time.random() * minutes * 60_000);
    const [asked, took] = [1 + Math.floor(time.random() * tokens), Math.floor(time.random() * takesMs)];
    const { signal } = new AbortController();
    const grant = await member.limiter.wait(member.limiter.needOf(asked), signal);
    if (grant === undefined) return;
    // What was reserved is seldom all used.
    await run(member, grant, Math.ceil(asked * (0.3 + 0.7 * time.random())), took);
    served += 1;
  });
  await time.until(Promise.all(all));
  return served;
}

describe('a limit of one process', () => {
  test('lets as many through as a minute has, the next when the first has been over for a minute, in order', async () => {
    const time = new VirtualTime();
    const { world } = time.process();
    const limiter = new Limiter({
      ...{ provider: 'p', limit: { requests: 2, tokens: 0 } },
      ...{ cell: memoryCell(), world, fleet: undefined },
    });
    const need = limiter.needOf(999);
    const [first, second] = [limiter.take(need), limiter.take(need)];
    expect([first, second, limiter.take(need)].map((grant) => grant !== undefined)).toEqual([true, true, false]);
    await time.pass(10_000);
    first?.end(0);
    const served: [string, number][] = [];
    const waits = ['one', 'two'].map(async (name) => {
      await limiter.wait(need, never);
      served.push([name, time.time]);
    });
    await time.pass(5_000);
    second?.end(0);
    await time.until(Promise.all(waits));
    expect(served.map(([name]) => name)).toEqual(['one', 'two']);
    expect(served.map(([, at]) => Math.round(at / 1_000))).toEqual([70, 75]);
  });

  test('what was reserved and not used is free at once; what was not sent, too', async () => {
    const time = new VirtualTime();
    const { world } = time.process();
    const limiter = new Limiter({
      ...{ provider: 'p', limit: { requests: 0, tokens: 1_000 } },
      ...{ cell: memoryCell(), world, fleet: undefined },
    });
    const grant = limiter.take(limiter.needOf(900));
    expect(limiter.take(limiter.needOf(200))).toBeUndefined();
    grant?.end(100);
    const next = limiter.take(limiter.needOf(900));
    expect(next).toBeDefined();
    next?.giveBack();
    expect(limiter.take(limiter.needOf(900))).toBeDefined();
  });

  test('a wait ends when it is given up, and then the next in the queue is served', async () => {
    const time = new VirtualTime();
    const { world } = time.process();
    const limiter = new Limiter({
      ...{ provider: 'p', limit: { requests: 0, tokens: 1_000 } },
      ...{ cell: memoryCell(), world, fleet: undefined },
    });
    limiter.take(limiter.needOf(500));
    const stop = new AbortController();
    const large = limiter.wait(limiter.needOf(800), stop.signal);
    const small = limiter.wait(limiter.needOf(300), never);
    await time.pass(10);
    stop.abort();
    expect(await large).toBeUndefined();
    expect(await small).toBeDefined();
  });

  test('what can never fit is known', () => {
    const { world } = new VirtualTime().process();
    const limiter = new Limiter({
      ...{ provider: 'p', limit: { requests: 5, tokens: 1_000 } },
      ...{ cell: memoryCell(), world, fleet: undefined },
    });
    expect([limiter.canEver(limiter.needOf(1_000)), limiter.canEver(limiter.needOf(1_001))]).toEqual([true, false]);
  });
});

describe('a limit of several workers', () => {
  test.each([
    { name: 'far above the demand', limit: { requests: 2_000, tokens: 0 } },
    { name: 'below the demand', limit: { requests: 60, tokens: 0 } },
    { name: 'below the number of workers', limit: { requests: 10, tokens: 0 } },
    { name: 'of tokens, of which one call may take a third', limit: { requests: 0, tokens: 30_000 } },
    { name: 'of both', limit: { requests: 40, tokens: 150_000 } },
  ])('$name is never passed in any sliding minute, and every call is made', async ({ limit }) => {
    const fleet = fleetOf(12, limit);
    const calls = limit.requests === 10 || limit.tokens === 30_000 ? 60 : 150;
    expect(await load(fleet, { calls, minutes: 2, tokens: 10_000, takesMs: 4_000 })).toBe(calls);
    const most = fleet.provider.most();
    expect(most.requests).toBeLessThanOrEqual(limit.requests || calls);
    expect(most.tokens).toBeLessThanOrEqual(limit.tokens || 0);
    const held = await fleet.held();
    expect(held.requests).toBeLessThanOrEqual(limit.requests);
    expect(held.tokens).toBeLessThanOrEqual(limit.tokens);
  });

  test('lets no more through than a minute has when all begin at the same moment', async () => {
    const { time, members } = fleetOf(32, { requests: 10, tokens: 0 });
    let served = 0;
    for (const { limiter } of members)
      void limiter.wait(limiter.needOf(0), new AbortController().signal).then(() => (served += 1));
    await time.pass(60_000);
    expect(served).toBe(10);
  });

  test('below the demand is used to more than four fifths', async () => {
    const fleet = fleetOf(32, { requests: 120, tokens: 0 });
    await load(fleet, { calls: 360, minutes: 1, tokens: 1, takesMs: 4_000 });
    // Calls take 2 s on average, and count until a minute after that.
    const perMinute = 120 * (60_250 / 62_250);
    expect(fleet.time.time / 60_000).toBeLessThan(360 / perMinute / 0.8);
    expect(fleet.provider.most().requests).toBeLessThanOrEqual(120);
  });

  test('costs far fewer writes than there are calls', async () => {
    const fleet = fleetOf(4, { requests: 6_000, tokens: 0 });
    await load(fleet, { calls: 4_000, minutes: 2, tokens: 1, takesMs: 1_000 });
    const writes = fleet.members.reduce((sum, { process }) => sum + process.writes, 0);
    expect(writes).toBeLessThan(400);
  });

  test('a call that does not wait is served by what another worker has and does not use', async () => {
    const { time, members } = fleetOf(2, { requests: 4, tokens: 0 });
    const [one, other] = members;
    if (one === undefined || other === undefined) throw new Error('no workers');
    const need = one.limiter.needOf(0);
    expect(await time.until(one.limiter.ask(need))).toBeDefined();
    let served = 0;
    for (let i = 0; i < 10; i += 1) {
      served += (await time.until(other.limiter.ask(need))) === undefined ? 0 : 1;
      await time.pass(100);
    }
    expect(served).toBe(3);
    expect(await time.until(one.limiter.ask(need))).toBeUndefined();
  });

  test('what a dead worker held is taken back, and not before its last request is a minute old', async () => {
    const { time, members, provider, run } = fleetOf(2, { requests: 10, tokens: 0 });
    const [dying, other] = members;
    if (dying === undefined || other === undefined) throw new Error('no workers');
    const need = dying.limiter.needOf(0);
    for (let i = 0; i < 10; i += 1) {
      const grant = await time.until(dying.limiter.wait(need, never));
      if (grant !== undefined) void run(dying, grant, 0, 1);
    }
    await time.pass(10);
    dying.process.kill();
    const killedAt = time.time;
    const grant = await time.until(other.limiter.wait(need, never));
    await time.until(run(other, grant as Grant, 0, 1));
    expect(time.time - killedAt).toBeGreaterThan(60_000);
    expect(time.time - killedAt).toBeLessThan(60_000 + 4 * leaseMs);
    expect(provider.most().requests).toBe(10);
  });

  test('a worker that was cut off longer than its lease lets nothing through until it is back', async () => {
    const { time, members } = fleetOf(2, { requests: 100, tokens: 0 });
    const [member] = members;
    if (member === undefined) throw new Error('no worker');
    const need = member.limiter.needOf(0);
    const grant = await time.until(member.limiter.ask(need));
    grant?.giveBack();
    member.process.isCutOff = true;
    expect(member.limiter.take(need)).toBeDefined();
    await time.pass(leaseMs);
    expect(member.limiter.take(need)).toBeUndefined();
    const waiting = member.limiter.wait(need, never);
    await time.pass(1_000);
    member.process.reconnect();
    expect(await time.until(waiting)).toBeDefined();
  });

  test('a worker that closes gives back what it has not used', async () => {
    const { time, members, held } = fleetOf(1, { requests: 100, tokens: 0 });
    const [member] = members;
    const grant = await time.until(member?.limiter.ask(member.limiter.needOf(0)) as Promise<Grant | undefined>);
    grant?.end(0);
    expect((await held()).requests).toBeGreaterThan(1);
    await time.until(member?.limiter.close() as Promise<void>);
    expect((await held()).requests).toBe(1);
  });

  test('a worker that has not called for a minute holds nothing, and gives no sign of life', async () => {
    const { time, members, held } = fleetOf(1, { requests: 100, tokens: 0 });
    const [member] = members;
    const grant = await time.until(member?.limiter.ask(member.limiter.needOf(0)) as Promise<Grant | undefined>);
    grant?.end(0);
    await time.pass(130_000);
    expect((await held()).requests).toBe(0);
    const writes = member?.process.writes;
    await time.pass(600_000);
    expect(member?.process.writes).toBe(writes);
  });
});
