/** The port to what gates share: one JSON value that several processes read, change by compare-and-set, and hear of. */
import type { z } from 'zod';
import { fail, ok, type Result } from '../../domain/failure.js';
import type { Json } from '../../domain/json.js';
import type { World } from '../world.js';

export interface Kept {
  /** Revision; 0: there is no value. */
  readonly seq: number;
  readonly value: Json | undefined;
}

/** Nothing here throws, and no value is told after one of a later revision. */
export interface Cell {
  /** False while it is known that the others cannot be reached: then nothing is written. */
  reachable(): boolean;
  read(): Promise<Result<Kept>>;
  /** Fails with `conflict` when the revision is not `seq` any more. */
  write(value: Json, seq: number): Promise<Result<number>>;
  /** Tells the present value, every later one, and the present one again whenever the others can be reached again. */
  watch(callback: (kept: Kept) => void): () => void;
}

/** A cell for the gates of one process. */
export function memoryCell(): Cell {
  let kept: Kept = { seq: 0, value: undefined };
  const watchers = new Set<(kept: Kept) => void>();
  return {
    reachable: () => true,
    read: async () => ok(kept),
    write: async (value, seq) => {
      if (seq !== kept.seq) return fail('conflict', `expected revision ${seq}, met ${kept.seq}`);
      kept = { seq: seq + 1, value };
      for (const tell of watchers) tell(kept);
      return ok(kept.seq);
    },
    watch: (callback) => {
      watchers.add(callback);
      callback(kept);
      return () => watchers.delete(callback);
    },
  };
}

/** A value of a cell, read by its schema. */
export interface Known<T> {
  readonly seq: number;
  readonly value: T | undefined;
}

/** Each lost try means that somebody else's succeeded. */
const mostTries = 100;

/** Fails with `unsupported_version` for what another version wrote. */
export function readKept<T>({ seq, value }: Kept, schema: z.ZodType<T>): Result<Known<T>> {
  if (value === undefined) return ok({ seq, value: undefined });
  const read = schema.safeParse(value);
  return read.success
    ? ok({ seq, value: read.data })
    : fail('unsupported_version', 'what is shared about a provider was written by another version');
}

/** Who lost tries again after a random part of this time for each try, so that many do not meet again and again. */
const spreadMs = 10;

interface Changing<T> {
  readonly cell: Cell;
  readonly schema: z.ZodType<T>;
  /** The newest value that was heard of. */
  readonly newest: () => Known<T>;
  readonly world: Pick<World, 'random' | 'sleep'>;
}

/**
 * Applies a change to the newest value. `apply` is called again when somebody else wrote in between; when it returns
 * what it got, nothing is written.
 */
export async function changeCell<T>(
  { cell, schema, newest, world }: Changing<T>,
  apply: (value: T | undefined) => T | undefined,
): Promise<Result<Known<T>>> {
  let base = newest();
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const value = apply(base.value);
    if (value === base.value) return ok(base);
    const written = await cell.write(value as Json, base.seq); // its schema makes it JSON
    if (written.ok) return ok({ seq: written.value, value });
    if (written.failure.kind !== 'conflict') return written;
    await world.sleep(world.random() * spreadMs * tries);
    const heard = newest();
    if (heard.seq > base.seq) {
      base = heard;
      continue;
    }
    const kept = await cell.read();
    if (!kept.ok) return kept;
    const read = readKept(kept.value, schema);
    if (!read.ok) return read;
    base = read.value;
  }
  return fail('conflict', `a value that all workers share could not be written in ${mostTries} tries`);
}
