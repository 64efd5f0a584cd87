/** Large payloads under their SHA-256, in pieces. The first piece, written last, says how many there are. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import type { Blobs } from './contract.js';
import type { Reader } from './reader.js';
import type { Store } from './store.js';
import type { Names } from './subject.js';
import { decodeAs, encode } from './text.js';

const pieceBytes = 256 * 1024;
const maxBytes = 256 * 1024 * 1024;
/** Pieces under way at once. */
const width = 4;
const hashPattern = /^[0-9a-f]{64}$/;
const headSchema = z.object({
  v: z.literal(1),
  bytes: z.number().int().nonnegative(),
  pieces: z.number().int().nonnegative(),
});

export function blobsOn(store: Store, reader: Reader, names: Names): Blobs {
  const stream = names.streams.blob;
  const placeOf = (hash: string, part: number) => ({ stream, subject: names.blob(hash, part) });
  return {
    put: async (bytes) => {
      if (bytes.length > maxBytes) return fail('too_large', `expected at most ${maxBytes} bytes, got ${bytes.length}`);
      const hash = createHash('sha256').update(bytes).digest('hex');
      const there = await reader.last(placeOf(hash, 0));
      if (!there.ok) return there;
      if (there.value !== undefined) return ok(hash);
      const pieces = Math.ceil(bytes.length / pieceBytes);
      const stored = await inGroups(pieces, (index) =>
        store.write(placeOf(hash, index + 1), bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes)),
      );
      if (!stored.ok) return stored;
      const head = await store.write(placeOf(hash, 0), encode({ v: 1, bytes: bytes.length, pieces }));
      return head.ok ? ok(hash) : head;
    },
    get: async (name) => {
      if (!hashPattern.test(name))
        return fail(
          'invalid_request',
          `expected the SHA-256 of a blob in hex, got ${JSON.stringify(name.slice(0, 80))}`,
        );
      const first = await reader.last(placeOf(name, 0));
      if (!first.ok) return first;
      if (first.value === undefined) return ok(undefined);
      const head = decodeAs(headSchema, first.value.data, `head of blob ${name}`);
      if (!head.ok) return head;
      const parts = await inGroups(head.value.pieces, (index) => reader.last(placeOf(name, index + 1)));
      if (!parts.ok) return parts;
      const bytes = Buffer.concat(parts.value.map((part) => part?.data ?? new Uint8Array(0)));
      const intact = createHash('sha256').update(bytes).digest('hex') === name;
      return intact
        ? ok(new Uint8Array(bytes))
        : fail('damaged', `blob ${name} is not what was stored: its bytes have another hash`);
    },
  };
}

/** Does `count` things, a few at a time, up to the first failure. */
async function inGroups<T>(count: number, act: (index: number) => Promise<Result<T>>): Promise<Result<T[]>> {
  const values: T[] = [];
  for (let start = 0; start < count; start += width) {
    const group = Array.from({ length: Math.min(width, count - start) }, (_, offset) => act(start + offset));
    for (const outcome of await Promise.all(group)) {
      if (!outcome.ok) return outcome;
      values.push(outcome.value);
    }
  }
  return ok(values);
}
