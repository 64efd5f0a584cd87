/** The lessons of all workers, in one value of the bucket `lesson`: changed by compare-and-set, heard by everybody at once. */
import type { Bucket } from '../bus/contract.js';
import type { Failure } from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import { type Learned, learnedSchema, nothingLearned } from '../parse/learn/learned.js';
import type { LessonStore } from '../parse/learn/learner.js';

const key = 'all';
/** Far below the largest message that a server takes by default (1 MB). */
const mostBytes = 400_000;
/** As many workers may write at the same moment. */
const mostTries = 50;

export interface SharedLessons extends LessonStore {
  /** Writes what is not written yet, and listens no more. */
  close(): Promise<void>;
}

export function shareLessons(bucket: Bucket, onFailure: (failure: Failure) => void): SharedLessons {
  let stored = nothingLearned;
  let present = nothingLearned;
  let waiting: ((now: Learned) => Learned)[] = [];
  let writing: Promise<void> | undefined;

  const settle = (value: Learned, taken: number): void => {
    stored = value;
    waiting = waiting.slice(taken);
    present = waiting.reduce((now, apply) => apply(now), stored);
  };
  const stop = bucket.watch(key, (value) => settle(readLessons(value) ?? stored, 0));

  /** One write for everything that waits; a write of another worker in between makes it read and try again. */
  const write = async (): Promise<Failure | undefined> => {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const found = await bucket.get(key);
      if (!found.ok) return found.failure;
      const taken = waiting.length;
      const base = found.value === undefined ? nothingLearned : readLessons(found.value.value);
      if (base === undefined)
        return { kind: 'invalid_request', message: 'the lessons were written by another version' };
      const next = waiting.reduce((now, apply) => apply(now), base);
      const body = next as unknown as Json; // validated data, all of it JSON
      if (next !== base) {
        const bytes = Buffer.byteLength(JSON.stringify(body));
        if (bytes > mostBytes)
          return { kind: 'too_large', message: `the lessons would take ${bytes} bytes; ${mostBytes} are kept` };
        const put =
          found.value === undefined ? await bucket.create(key, body) : await bucket.update(key, body, found.value.seq);
        if (!put.ok && put.failure.kind === 'conflict') continue;
        if (!put.ok) return put.failure;
      }
      settle(next, taken);
      return undefined;
    }
    return { kind: 'conflict', message: `the lessons could not be written in ${mostTries} tries` };
  };

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const failure = await write();
      if (failure === undefined) continue;
      onFailure(failure);
      waiting = []; // lost here: what was wrong once is learned again
    }
  };

  const start = (): void => {
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (waiting.length > 0) start();
    });
  };

  return {
    read: () => present,
    change(apply) {
      const next = apply(present);
      if (next === present) return;
      present = next;
      waiting.push(apply);
      start();
    },
    async close() {
      stop();
      while (writing !== undefined) await writing;
    },
  };
}

/** Undefined for nothing, and for a value that another version wrote and this one cannot read. */
function readLessons(value: Json | undefined): Learned | undefined {
  const read = learnedSchema.safeParse(value);
  return read.success ? read.data : undefined;
}
