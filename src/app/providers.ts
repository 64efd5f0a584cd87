/** The gates of all workers on one bus: what they share about providers, and what it says for people. */
import type { Bus } from '../bus/contract.js';
import type { Settings } from '../config/settings.js';
import { type Failure, ok, type Result } from '../domain/failure.js';
import { type Allowance, type Amount, allowanceSchema } from '../llm/gate/allowance.js';
import { breakerSchema, type Health } from '../llm/gate/breaker-state.js';
import type { Cell, Kept } from '../llm/gate/cell.js';
import { createGates, type Gates, type GatesOptions } from '../llm/gate/gates.js';
import { realWorld } from '../llm/world.js';
import type { Logger } from '../observe/log.js';

/** The gates of one process that shares nothing, as the settings say. */
export const ownGates = (settings: Settings): Gates => createGates(optionsFrom(settings), realWorld);

/** @param workerId unique for every process that ever runs */
export function sharedGates(settings: Settings, bus: Bus, workerId: string, log: Logger): Gates {
  const onFailure = (failure: Failure): void => log.warn('providers: going on without the other workers', { failure });
  const onTurn = ({ provider, model, state }: Health): void => {
    const about = { provider, model, state: state.kind };
    if (state.kind === 'open') log.warn('provider left alone', { ...about, forMs: state.forMs });
    else log.info(state.kind === 'probing' ? 'provider probed' : 'provider used again', about);
  };
  const fleet = { workerId, leaseMs: settings.worker.leaseMs, cell: (key: string) => cellOn(bus, key) };
  return createGates({ ...optionsFrom(settings), fleet, onFailure, onTurn }, realWorld);
}

function optionsFrom({ model, providers }: Settings): GatesOptions {
  const { failures: threshold, coolDownMs, maxCoolDownMs } = model.breaker;
  return { breaker: { threshold, coolDownMs, maxCoolDownMs }, limits: providers };
}

/** A value of the bucket `provider` as a cell. */
export function cellOn(bus: Bus, key: string): Cell {
  const bucket = bus.buckets.provider;
  const kept = (value: Kept['value'], seq: number): Kept => (value === undefined ? { seq: 0, value } : { seq, value });
  return {
    reachable: () => bus.status().connected,
    read: async () => {
      const found = await bucket.get(key);
      return found.ok ? ok(kept(found.value?.value, found.value?.seq ?? 0)) : found;
    },
    write: (value, seq) => (seq === 0 ? bucket.create(key, value) : bucket.update(key, value, seq)),
    watch: (callback) => {
      let last: Kept | undefined;
      const forget = bucket.watch(key, (value, seq) => {
        last = kept(value, seq);
        callback(last);
      });
      // The bucket tells what was missed; that nothing was missed, nobody tells.
      const unlisten = bus.onStatus(({ connected }) => {
        if (connected && last !== undefined) callback(last);
      });
      return () => {
        forget();
        unlisten();
      };
    },
  };
}

/** One model of a provider, as the workers see it. */
export interface ProviderLine {
  readonly provider: string;
  readonly model: string;
  readonly state: Health['state']['kind'];
  /** ms since 1970; null while it is closed. */
  readonly openSince: number | null;
  /** ms since 1970 of the next probe; null while it is closed or a probe is out. */
  readonly nextProbeAt: number | null;
  /** ms since 1970, when the provider asked to be left alone until then and that has not passed. */
  readonly pausedUntil: number | null;
}

/** The limit of an account with a provider. */
export interface LimitLine {
  readonly provider: string;
  /** In any 60 s; 0: no limit. */
  readonly limit: Amount;
  /** Held by workers, and, of that, used within the last minute when they told last. */
  readonly held: Amount;
  readonly used: Amount;
  readonly workers: number;
  /** Workers whose calls wait. */
  readonly waiting: number;
}

export interface ProviderSurvey {
  readonly models: readonly ProviderLine[];
  readonly limits: readonly LimitLine[];
}

/** Providers that were ever ill, and those with limits. Needs a user who may read the bucket. */
export async function surveyProviders({ buckets }: Bus, now: number): Promise<Result<ProviderSurvey>> {
  const keys = await buckets.provider.keys();
  if (!keys.ok) return keys;
  const models: ProviderLine[] = [];
  const limits: LimitLine[] = [];
  for (const key of keys.value.toSorted()) {
    const found = await buckets.provider.get(key);
    if (!found.ok) return found;
    const health = breakerSchema.safeParse(found.value?.value);
    if (health.success) models.push(modelLine(health.data, now));
    const allowance = allowanceSchema.safeParse(found.value?.value);
    if (allowance.success) limits.push(limitLine(allowance.data));
  }
  return ok({ models, limits });
}

function modelLine({ provider, model, state, at, pause }: Health, now: number): ProviderLine {
  const until = pause === undefined ? 0 : pause.at + pause.forMs;
  return {
    provider,
    model,
    state: state.kind,
    openSince: state.kind === 'closed' ? null : state.since,
    nextProbeAt: state.kind === 'open' ? at + state.forMs : null,
    pausedUntil: until > now ? until : null,
  };
}

function limitLine({ provider, limit, holdings }: Allowance): LimitLine {
  const all = Object.values(holdings);
  const sum = (of: (holding: (typeof all)[number]) => Amount): Amount => ({
    requests: all.reduce((total, holding) => total + of(holding).requests, 0),
    tokens: all.reduce((total, holding) => total + of(holding).tokens, 0),
  });
  return {
    provider,
    limit,
    held: sum((holding) => holding),
    used: sum(({ used }) => used),
    workers: all.length,
    waiting: all.filter(({ wants }) => wants !== undefined).length,
  };
}
