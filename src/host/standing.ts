/** Whether a host may still act for an agent that it holds. */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import type { Hosted } from './hosted.js';
import type { Leases } from './lease.js';

export interface StandingOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly leases: Pick<Leases, 'confirmed' | 'lapses'>;
}

export type Standing = 'sure' | 'in doubt' | 'replaced';

/** So long what the journal showed is good enough. */
const freshMs = 200;

/**
 * Looks into the journal when its last word is not fresh, or when others could take the host for dead meanwhile. It must
 * not go by the sign of life alone: who takes an agent over may have missed that sign.
 */
export function standingOf(hosted: Hosted, { bus, clock, leases }: StandingOptions): () => Promise<Standing> {
  let known = leases.lapses();
  return async () => {
    const lapses = leases.lapses();
    if (!leases.confirmed()) return 'in doubt';
    if (lapses === known && clock.elapsed() - hosted.provenAt < freshMs) return 'sure';
    const lookedAt = clock.elapsed();
    const isReplaced = await wasReplaced(hosted, bus);
    if (isReplaced === undefined || !leases.confirmed()) return 'in doubt';
    known = lapses;
    hosted.provenAt = lookedAt;
    return isReplaced ? 'replaced' : 'sure';
  };
}

/** How often a host in doubt looks again. */
const lookMs = 20;

/** Waits until there is no doubt, or until `isOver`. */
export async function whenCertain(
  standing: () => Promise<Standing>,
  clock: Clock,
  isOver: () => boolean,
): Promise<Standing> {
  for (;;) {
    const now = await standing();
    if (now !== 'in doubt') return now;
    await clock.sleep(lookMs);
    if (isOver()) return now;
  }
}

/** Whether another host has taken the agent over since our last record. Undefined when it cannot be told. */
export async function wasReplaced({ agentId, epoch, seq }: Hosted, bus: Bus): Promise<boolean | undefined> {
  const newer = await bus.journal.read(agentId, seq);
  return newer.ok ? newer.value.some(({ value }) => value.epoch > epoch) : undefined;
}
