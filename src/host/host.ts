/** A host of agents: takes wakes for its roles, gives each agent its turn, fires timers, and looks after its neighbours. */
import type { Bus, ConsumeOptions, Timer, Wake } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import type { Failure } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { laneOf, type QueueName } from '../domain/lane.js';
import { type ActivationOptions, activate, wakeAnew } from './activation.js';
import { createGone } from './gone.js';
import { createLeases } from './lease.js';
import { lingerersOf } from './linger.js';
import { hasEnded } from './lookup.js';
import { keepPace } from './pace.js';
import { keepReconciling } from './reconcile.js';
import type { Role } from './role.js';
import { stepperOf } from './stepper.js';

export interface HostOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Subject-safe and unique for every process that ever runs. */
  readonly hostId: string;
  readonly roles: readonly Role[];
  /** Served besides the default one of each role. */
  readonly queues?: readonly QueueName[];
  /** What tenants get of this host's places; absent: all the same. */
  readonly terms?: ConsumeOptions['terms'];
  /** Agents at work at the same time. Parked agents do not count. */
  readonly concurrency: number;
  /** The same for a host that has just begun. */
  readonly firstConcurrency: number;
  /** Share of time, 0 to 1, that the event loop may be busy before the host takes fewer agents than that. */
  readonly fullLoad: number;
  /** Share of time, 0 to 1, that the event loop was busy since the last call. */
  readonly load: () => number;
  readonly leaseMs: number;
  readonly watchMs: number;
  readonly reconcileMs: number;
  readonly poisonAttempts: number;
  /** How long `drain` waits for effects under way. */
  readonly drainMs: number;
  readonly onFailure: (failure: Failure, agentId?: AgentId) => void;
  /** An exception: a bug in a role or in the host. */
  readonly onBug: (error: unknown, where: string) => void;
}

/** When a wake comes again that a host did not dare to answer for. */
const unconfirmedMs = 200;

export interface Host {
  readonly hostId: string;
  /** Agents at work now. */
  hosted(): readonly AgentId[];
  /** Takes no more work, lets effects under way end, hands the agents over, and leaves. */
  drain(): Promise<void>;
}

export function startHost(options: HostOptions): Host {
  const { bus, clock, hostId, concurrency } = options;
  const leases = createLeases(options);
  const taking = new AbortController();
  const living = new AbortController();
  const atWork = new Map<AgentId, Promise<unknown>>();
  const leaving = new Set<() => void>();
  const lingerers = lingerersOf(concurrency, options.terms);
  const busy = (): number => atWork.size - lingerers.count();
  const pace = keepPace({ ...options, most: concurrency, first: options.firstConcurrency, atWork: busy });
  const gone = createGone(bus);
  let lastWakeAt = clock.elapsed();

  const takeWakes = (role: Role): Promise<void> => {
    const settings = activationOf(role, options, {
      leases,
      mayLinger: lingerers.mayLinger,
      draining: () => taking.signal.aborted,
      onLeave: (callback) => {
        leaving.add(callback);
        return () => leaving.delete(callback);
      },
    });
    let mine = 0;
    const capacity = (): number => pace.allowed() - (busy() - mine);
    const { onFailure, queues, terms } = options;
    const consuming = { capacity, queues, terms, signal: taking.signal, onFailure };
    return bus.wakes.consume(role.name, consuming, (wake) => {
      lastWakeAt = clock.elapsed();
      mine += 1;
      void take(wake, settings).finally(() => {
        mine -= 1;
      });
    });
  };

  const take = async (wake: Wake, settings: ActivationOptions): Promise<void> => {
    if (gone.has(wake.agentId)) return gone.dropMail(wake);
    if (atWork.has(wake.agentId)) {
      // Others may have taken us for dead, and mean the wake for themselves.
      if (!leases.confirmed()) return wake.giveBack(unconfirmedMs);
      bus.inbox.nudge(wake.agentId);
      return wake.ack();
    }
    const work = activate(wake, settings).finally(() => atWork.delete(wake.agentId));
    atWork.set(wake.agentId, work);
    const end = await work;
    if (end === 'left') await wakeAnew(wake, settings);
    if (end === 'ended') gone.add(wake.agentId);
  };

  const isIdle = (): boolean => busy() < pace.allowed() && clock.elapsed() - lastWakeAt > options.reconcileMs / 2;
  const duties = [
    leases.keep(living.signal),
    ...options.roles
      .slice(0, 1)
      .map((spokesman) =>
        keepReconciling({ bus, clock, hostId, leases, spokesman, everyMs: options.reconcileMs, isIdle }, living.signal),
      ),
    bus.timers.consume(living.signal, (timer) => fireTimer(bus, clock, timer)),
    ...options.roles.map(takeWakes),
  ].map((duty) => duty.catch((error: unknown) => options.onBug(error, `host ${hostId}`)));

  return {
    hostId,
    hosted: () => [...atWork.keys()],
    async drain() {
      taking.abort();
      pace.stop();
      lingerers.dismiss();
      const patience = new AbortController();
      await Promise.race([Promise.all(atWork.values()), clock.sleep(options.drainMs, patience.signal)]);
      patience.abort();
      living.abort();
      for (const leave of [...leaving]) leave();
      await Promise.all([...duties, ...atWork.values()]);
    },
  };
}

type Shared = Pick<ActivationOptions, 'leases' | 'mayLinger' | 'draining' | 'onLeave'>;

const activationOf = (role: Role, options: HostOptions, shared: Shared): ActivationOptions => ({
  ...options,
  ...shared,
  role,
  stepper: stepperOf(role.machine),
  never: new AbortController().signal,
  onFeed: (events) => {
    for (const event of events) options.bus.feed.publish(event);
  },
});

/** A timer becomes a message. Those of ended agents are dropped. */
async function fireTimer(bus: Bus, clock: Clock, timer: Timer): Promise<boolean> {
  const { agentId, name, dueAt } = timer;
  const ended = await hasEnded(bus, agentId);
  if (!ended.ok || ended.value) return ended.ok;
  const id = `${agentId}.timer.${name}.${dueAt}`;
  const put = await bus.inbox.put(agentId, { v: 1, type: 'timer.fired', id, at: clock.now(), timer: name });
  return put.ok && (await bus.wakes.put(laneOf(timer), agentId)).ok;
}
