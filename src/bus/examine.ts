/** What a server is like for Hermes: its version, what this user may do there, its clock and its room. Changes nothing. */
import { z } from 'zod';
import { ok, type Result } from '../domain/failure.js';
import { type BusOptions, openWire } from './connect.js';
import { type Rights, rightsOf } from './rights.js';
import { Store } from './store.js';
import type { Names } from './subject.js';
import { streamNames } from './survey.js';
import { type ClockOffset, clockOffsets } from './time.js';

/** Bytes that something holds, and the most it may hold; undefined: no limit is known. */
export interface Room {
  readonly of: string;
  readonly bytes: number;
  readonly most: number | undefined;
}

export interface Examination {
  readonly version: string;
  readonly rights: Rights;
  readonly clocks: readonly ClockOffset[];
  /** Of the account, and of each stream that has a limit; undefined where this user may not ask. */
  readonly rooms: readonly Room[] | undefined;
}

const accountSchema = z.looseObject({
  storage: z.number(),
  limits: z.looseObject({ max_storage: z.number() }),
});
const streamSchema = z.looseObject({
  config: z.looseObject({ max_bytes: z.number() }),
  state: z.looseObject({ bytes: z.number() }),
});

/** @param now ms since 1970 */
export async function examineServer(options: BusOptions, now: () => number): Promise<Result<Examination>> {
  const opened = await openWire({ ...options, streams: 'none' });
  if (!opened.ok) return opened;
  const { names, user, wire } = opened.value;
  const store = new Store(wire, async () => undefined);
  try {
    const rights = await rightsOf(wire, names, user);
    const clocks = await clockOffsets(store, names, now);
    if (!clocks.ok) return clocks;
    const mayAsk = user === undefined || user.role === 'admin';
    const rooms = mayAsk ? await roomsOn(store, names) : ok(undefined);
    if (!rooms.ok) return rooms;
    return ok({ version: wire.status().version, rights, clocks: clocks.value, rooms: rooms.value });
  } finally {
    await wire.close();
  }
}

async function roomsOn(store: Store, names: Names): Promise<Result<Room[] | undefined>> {
  const account = await store.api('INFO', {});
  if (!account.ok) return account.failure.kind === 'not_permitted' ? ok(undefined) : account;
  const rooms: Room[] = [];
  const known = accountSchema.safeParse(account.value);
  if (known.success) {
    const { limits, storage } = known.data;
    rooms.push({ of: 'the account', bytes: storage, most: limits.max_storage > 0 ? limits.max_storage : undefined });
  }
  for (const name of streamNames(names)) {
    const info = await store.info(name);
    if (!info.ok) return info;
    const stream = streamSchema.safeParse(info.value);
    if (!stream.success || stream.data.config.max_bytes <= 0) continue;
    rooms.push({ of: `stream ${name}`, bytes: stream.data.state.bytes, most: stream.data.config.max_bytes });
  }
  return ok(rooms);
}
