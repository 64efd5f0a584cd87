/** What happens on one wake: take the lease, bring the agent back, let it take its turn, let go. The wake is acknowledged last. */
import type { Bus, Wake } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import type { FeedEvent } from '../domain/event.js';
import { type Failure, FailureError, failure, isRetryable } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import type { Json, JsonObject } from '../domain/json.js';
import { laneOf } from '../domain/lane.js';
import { commit } from './commit.js';
import { type Hosted, isEnded, takeSnapshot } from './hosted.js';
import { bury, layAside } from './lay-aside.js';
import type { Leases } from './lease.js';
import { type Loaded, load } from './load.js';
import { deadlineOf } from './lookup.js';
import { type Mailbox, openMailbox } from './mailbox.js';
import type { Role } from './role.js';
import type { Stepper } from './stepper.js';
import { runTurn, type TurnEnd, type TurnOptions } from './turn.js';

export interface ActivationOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly hostId: string;
  readonly leases: Leases;
  readonly leaseMs: number;
  readonly role: Role;
  readonly stepper: Stepper;
  /** Hosts that may die over an agent, without a step in between, before it is given up. */
  readonly poisonAttempts: number;
  /** Never aborts. */
  readonly never: AbortSignal;
  readonly draining: () => boolean;
  readonly mayLinger: TurnOptions['mayLinger'];
  readonly onLeave: (callback: () => void) => () => void;
  readonly onFeed: (events: readonly FeedEvent[]) => void;
  readonly onFailure: (failure: Failure, agentId: AgentId) => void;
  readonly onBug: (error: unknown, where: string) => void;
}

const retryMs = 1_000;
/** When an agent comes again that only a newer host can carry on. */
const otherHostMs = 15_000;
/** A host that can carry an agent on ends it at its deadline; by so much later it is known that there is none. */
const overdueMs = 60_000;
/** How often a host says that it still has the wake: well below the redelivery time, see `redeliveryMs`. */
const extendMs = (leaseMs: number): number => redeliveryMs(leaseMs) * 0.4;

/**
 * How long a wake is stuck that a host took to the grave before it had the lease. No longer than a lease, so that agents
 * which were about to be hosted wait no longer for a successor than those that were.
 */
export const redeliveryMs = (leaseMs: number): number => Math.min(5_000, leaseMs);

/**
 * `left`: to whoever comes, and the wake is not answered yet, see `wakeAnew`. `ended`: the agent has, its snapshot says so,
 * and its inbox is empty.
 */
export async function activate(wake: Wake, options: ActivationOptions): Promise<'left' | 'ended' | undefined> {
  const { agentId } = wake;
  const { bus, leases } = options;
  const leased = await leases.acquire(agentId, laneOf(wake));
  if (!leased.ok) {
    if (leased.failure.kind === 'conflict') {
      bus.inbox.nudge(agentId); // whoever has it looks at the inbox again
      wake.ack();
    } else wake.giveBack(retryMs);
    return undefined;
  }
  try {
    const end = await host(wake, leased.value.inherited, options);
    if (end === 'lost' && (await isLeft(agentId, options))) return 'left';
    if (end === 'released') wake.giveBack(0);
    else wake.ack(); // an agent lost to another host is that host's to wake
    if (end === 'ended') return end;
  } catch (error) {
    if (await leases.release(agentId)) await giveUp(wake, error, options);
    else wake.giveBack(retryMs); // another host has it, or the server could not be asked
  }
  return undefined;
}

/** Whether a lost agent was let go without being taken over, so that it must be woken again. */
const isLeft = async (agentId: AgentId, { draining, leases }: ActivationOptions): Promise<boolean> =>
  (await leases.release(agentId)) || draining();

/**
 * Wakes an agent that was left. Its wake may have been taken from us, and be done with, while we were cut off: whoever came
 * with it was told that we have the agent. Only once we do not work on it any more: until then we would answer ourselves.
 */
export async function wakeAnew(wake: Wake, { bus }: ActivationOptions): Promise<void> {
  const woken = await bus.wakes.put(laneOf(wake), wake.agentId);
  if (woken.ok) wake.ack();
  else wake.giveBack(retryMs);
}

/** An agent that cannot be brought back or carried on is tried again, and after too many tries laid aside with the reason. */
async function giveUp(wake: Wake, error: unknown, options: ActivationOptions): Promise<void> {
  const { agentId, deliveries } = wake;
  const { onBug, onFailure, poisonAttempts } = options;
  const reason = error instanceof FailureError ? error.failure : failure('internal', String(error));
  if (error instanceof FailureError) onFailure(reason, agentId);
  else onBug(error, `agent ${agentId}`);
  const isForOthers = reason.kind === 'unsupported_version';
  const isHopeless =
    reason.kind === 'poisoned' ||
    reason.kind === 'damaged' ||
    (isForOthers ? await isOverdue(agentId, options) : !isRetryable(reason) && deliveries >= poisonAttempts);
  if (!isHopeless) return wake.giveBack(isForOthers ? otherHostMs : retryMs);
  const laid = await layAside(agentId, reason, { deliveries }, { ...options, lane: laneOf(wake) });
  if (laid.ok) return wake.ack();
  onFailure(laid.failure, agentId);
  wake.giveBack(retryMs);
}

async function isOverdue(agentId: AgentId, { bus, clock }: ActivationOptions): Promise<boolean> {
  const deadline = await deadlineOf(bus, agentId);
  return deadline.ok && deadline.value !== undefined && clock.now() > deadline.value + overdueMs;
}

async function host(wake: Wake, inherited: boolean, options: ActivationOptions): Promise<TurnEnd> {
  const { agentId } = wake;
  const { bus, role, stepper } = options;
  const loaded = await load(bus, agentId, role, stepper, laneOf(wake));
  if (!loaded.ok) throw new FailureError(loaded.failure);
  if (loaded.value === 'ended') return dropMail(agentId, options);
  const { hosted } = loaded.value;
  const mailbox = openMailbox(hosted, options);
  const stopListening = bus.inbox.onArrival(agentId, (seq) => mailbox.hear(seq));
  const stopExtending = keepExtending(wake, options.clock, extendMs(options.leaseMs));
  try {
    return await stay(loaded.value, mailbox, inherited || wake.deliveries > 1, options);
  } finally {
    stopListening();
    stopExtending();
  }
}

/** What comes to an agent that has ended reaches nobody. */
async function dropMail(agentId: AgentId, { bus, leases }: ActivationOptions): Promise<TurnEnd> {
  const cleared = await bus.inbox.clear(agentId);
  if (!cleared.ok) throw new FailureError(cleared.failure);
  await leases.release(agentId);
  return 'ended';
}

/** Takes turns until the agent rests with an empty inbox, ends, or is lost. `triedBefore`: another host may have died over it. */
async function stay(
  loaded: Loaded,
  mailbox: Mailbox,
  triedBefore: boolean,
  options: ActivationOptions,
): Promise<TurnEnd> {
  const { bus, leases } = options;
  const { hosted } = loaded;
  const before = hosted.seq;
  const first = await takeOver(loaded, triedBefore, options);
  if (first === undefined) return 'lost';
  const takenOver = hosted.seq > before ? hosted.seq : undefined;
  for (let events: JsonObject[] = first; ; events = []) {
    const end =
      isEnded(hosted) && hosted.unsent.size === 0 ? 'ended' : await runTurn(hosted, events, { ...options, mailbox });
    if (end === 'lost') return end;
    if (end === 'parked' && hosted.seq === takenOver && !(await handOver(hosted, options))) return 'lost';
    const isSaved = end === 'released' || (await saveSnapshot(hosted, options));
    // Nobody but the snapshot says of an agent without an inbox that it has ended.
    if (end === 'ended' && isSaved) await bus.inbox.clear(hosted.agentId);
    await leases.release(hosted.agentId);
    if (end === 'ended' && !isSaved) return 'released';
    if (end !== 'parked') return end;
    // A message that came before the lease was let go found us holding it: look once more.
    mailbox.full = false;
    const late = await bus.inbox.read(hosted.agentId, hosted.inbox);
    if (!late.ok) return 'released'; // whoever gets the wake next looks
    if (late.value.length === 0 && !mailbox.full) return end; // full: a message that came in during the look
    mailbox.full = true;
    const again = await leases.acquire(hosted.agentId, hosted.lane);
    if (!again.ok) return again.failure.kind === 'conflict' ? end : 'released';
  }
}

/** Says of a host that found nothing to do that it did not die over the agent. */
const handOver = (hosted: Hosted, { bus, clock, draining }: ActivationOptions): Promise<boolean> =>
  commit(hosted, { v: 1, kind: 'released', epoch: hosted.epoch, at: clock.now() }, { bus, clock }, draining);

/** Fences older owners where something may still be under way, and says what the machine must hear first. */
async function takeOver(
  loaded: Loaded,
  triedBefore: boolean,
  options: ActivationOptions,
): Promise<JsonObject[] | undefined> {
  const { hosted, inDoubt, isOlder, vainAttempts } = loaded;
  const { clock, draining, hostId, role, poisonAttempts, bus } = options;
  const at = clock.now();
  hosted.epoch += 1;
  // Open effects need the record though there is no doubt: should this host die over them, the next one must doubt.
  if (hosted.open.size === 0 && !triedBefore && !isOlder) return [];
  const record = {
    v: 1,
    kind: 'epoch',
    epoch: hosted.epoch,
    at,
    host: hostId,
    machineVersion: role.machineVersion,
  } as const;
  if (!(await commit(hosted, record, { bus, clock }, draining))) return undefined;
  if (vainAttempts >= poisonAttempts && !isEnded(hosted)) {
    const reason = failure('poisoned', `${vainAttempts} hosts in a row died over agent ${hosted.agentId}`);
    if (hosted.snapshot === undefined) throw new FailureError(reason); // its order kills: there is no machine yet to hear of it
    await bury(bus, hosted.agentId, reason, { attempts: vainAttempts });
    return [role.poisoned(vainAttempts)];
  }
  return inDoubt ? [{ type: 'host.recovered', at }] : [];
}

/** False when it could not be stored. */
async function saveSnapshot(hosted: Hosted, { bus, onFailure }: ActivationOptions): Promise<boolean> {
  const snapshot = takeSnapshot(hosted, hosted.open.size === 0);
  if (snapshot === undefined) return true;
  const saved = await bus.buckets.agent.put(hosted.agentId, snapshot as unknown as Json);
  if (!saved.ok) onFailure(saved.failure, hosted.agentId);
  return saved.ok;
}

function keepExtending(wake: Wake, clock: Clock, everyMs: number): () => void {
  let stop = clock.after(everyMs, extend);
  function extend(): void {
    wake.extend();
    stop = clock.after(everyMs, extend);
  }
  return () => stop();
}
