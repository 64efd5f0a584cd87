/** Dropping all messages of one subject at the least cost. */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import { atLeast } from './binary.js';
import type { Reader } from './reader.js';
import type { Place, Store } from './store.js';

/** From this version on, a purge of one subject does not read the whole stream. */
const fastPurge = '2.10.0';
/** Below this many messages in the stream, a purge that reads it all costs less than single deletions. */
const fewInStream = 2_000;
const mostDeletions = 16;
const countedForMs = 10_000;
const infoSchema = z.looseObject({ state: z.looseObject({ messages: z.number() }) });

/**
 * Servers before 2.10 purge a subject by walking through all messages of the stream (measured: 0.25 µs each). In a long
 * stream the few messages of an agent are rather deleted one by one; so are they always by a user who may not purge.
 */
export function clearing(
  store: Store,
  reader: Reader,
  stream: string,
  mayPurge: boolean,
): (place: Place) => Promise<Result<void>> {
  let counted: { messages: number; at: number } | undefined;
  const isShort = async (): Promise<boolean> => {
    if (atLeast(store.wire.status().version, fastPurge)) return true;
    if (counted === undefined || performance.now() - counted.at > countedForMs) {
      const info = infoSchema.safeParse(
        await store.api(`STREAM.INFO.${stream}`, {}).then((got) => (got.ok ? got.value : 0)),
      );
      counted = { messages: info.success ? info.data.state.messages : 0, at: performance.now() };
    }
    return counted.messages < fewInStream;
  };
  return async (place) => {
    if (mayPurge && (await isShort())) return store.purge(place);
    const kept = await reader.after(place, 0, mayPurge ? mostDeletions : undefined);
    if (!kept.ok) return kept;
    if (mayPurge && kept.value.length === mostDeletions) return store.purge(place);
    for (const { seq } of kept.value) {
      const removed = await store.remove(place.stream, seq);
      if (!removed.ok && removed.failure.kind !== 'conflict')
        return fail(removed.failure.kind, removed.failure.message);
    }
    return ok(undefined);
  };
}
