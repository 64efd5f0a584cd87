/** How far clocks are from that of the server. */

import { z } from 'zod';
import { ok, type Result } from '../domain/failure.js';
import type { Answer, Store } from './store.js';
import type { Names } from './subject.js';
import { decodeJson } from './text.js';

export interface ClockOffset {
  /** Id of a host; undefined for this process. */
  readonly hostId?: string;
  /** Positive: ahead of the server. */
  readonly aheadMs: number;
  /** The offset may be wrong by so much: how long it took to ask. */
  readonly uncertainMs: number;
}

const inactiveNs = 1_000_000_000;
const madeSchema = z.looseObject({ name: z.string(), created: z.string() });
const signSchema = z.looseObject({ at: z.number() });

/** This process's clock and those of all living hosts; none where no streams are. */
export async function clockOffsets(store: Store, names: Names, now: () => number): Promise<Result<ClockOffset[]>> {
  const there = await store.info(names.streams.bucket('host'));
  if (!there.ok || there.value === undefined) return there.ok ? ok([]) : there;
  const own = await ownOffset(store, names, now);
  const hosts = await hostOffsets(store, names);
  return hosts.ok ? ok([...(own === undefined ? [] : [own]), ...hosts.value]) : hosts;
}

/** The server says when it made a consumer; one that reads nothing is made for that, which everybody may. */
async function ownOffset(store: Store, names: Names, now: () => number): Promise<ClockOffset | undefined> {
  const stream = names.streams.events;
  const before = now();
  const made = await store.api(`CONSUMER.CREATE.${stream}`, {
    stream_name: stream,
    config: { deliver_policy: 'new', ack_policy: 'none', replay_policy: 'instant', inactive_threshold: inactiveNs },
  });
  const after = now();
  const consumer = made.ok ? madeSchema.safeParse(made.value) : undefined;
  if (consumer?.success !== true) return undefined;
  await store.api(`CONSUMER.DELETE.${stream}.${consumer.data.name}`, {});
  const uncertainMs = Math.round((after - before) / 2);
  return { aheadMs: Math.round(before + uncertainMs - Date.parse(consumer.data.created)), uncertainMs };
}

/** Each host signs with the time of its own clock, and the server notes when it stored that. */
async function hostOffsets(store: Store, names: Names): Promise<Result<ClockOffset[]>> {
  const stream = names.streams.bucket('host');
  const subjects = await store.subjects({ stream, subject: names.bucket('host') });
  if (!subjects.ok) return subjects;
  const offsets: ClockOffset[] = [];
  for (const subject of subjects.value.keys()) {
    const hostId = subject.slice(names.bucket('host', '').length);
    const read = await store.persist(
      `$JS.API.DIRECT.GET.${stream}.${subject}`,
      new Uint8Array(0),
      undefined,
      (msg): Answer<number | undefined> => {
        const sign = signSchema.safeParse(decodeJson(msg.data));
        const stored = Date.parse(msg.headers?.get('Nats-Time-Stamp') ?? '');
        return ok(sign.success && stored > 0 ? Math.round(sign.data.at - stored) : undefined);
      },
    );
    if (!read.ok) return read;
    if (read.value !== undefined) offsets.push({ hostId, aheadMs: read.value, uncertainMs: 0 });
  }
  return ok(offsets);
}
