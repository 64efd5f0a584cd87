/**
 * Reading and writing single messages of streams, over the raw JetStream protocol. Writes with an expected sequence are
 * safe to repeat (at most one of them is stored), so a lost reply is settled by asking again, never by guessing.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Msg } from 'nats';
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import { type ApiError, apiErrorSchema, errorCodes, notPermitted, refusalOf, unreachable } from './refusal.js';
import { decodeJson, encode } from './text.js';
import { RawHeaders, type Wire } from './wire.js';

export interface Place {
  readonly stream: string;
  readonly subject: string;
}

/** An answer, or that the stream is not there. */
export type Answer<T> = Result<T> | 'no stream';

export interface Attempt {
  /** An earlier try of the same request was sent and not answered: it may have been carried out. */
  readonly unsure: boolean;
}

/** Room for headers of ours in a message. */
const headerBytes = 256;
const longestAttemptMs = 1_200;
/** So many attempts without an answer, from a server that does answer, mean that its storage does not. */
const silentAttempts = 2;
const pongTimeoutMs = 500;

export class Store {
  readonly wire: Wire;
  readonly #restore: () => Promise<unknown>;
  readonly #writer = randomBytes(6).toString('base64url');
  #writes = 0;

  /** @param restore makes missing streams anew; called when the server says that a stream is not there. */
  constructor(wire: Wire, restore: () => Promise<unknown>) {
    this.wire = wire;
    this.#restore = restore;
  }

  /** Whether a message of so many bytes can be stored: `too_large` when it cannot. */
  fits({ subject }: Place, bytes: number): Result<void> {
    const most = this.wire.maxPayload - headerBytes;
    if (bytes <= most) return ok(undefined);
    return fail(
      'too_large',
      `${subject}: ${bytes} bytes, and the server takes ${most}`,
      'store it as a blob and send its name',
    );
  }

  /** Stores, and resolves with the sequence once the server has it. With `expected`: only as the subject's next message. */
  async write(place: Place, payload: Uint8Array, expected?: number): Promise<Result<number>> {
    const fits = this.fits(place, payload.length);
    if (!fits.ok) return fits;
    let id = '';
    let headers: RawHeaders | undefined;
    if (expected !== undefined) {
      this.#writes += 1;
      id = `${this.#writer}.${this.#writes.toString(36)}`;
      headers = new RawHeaders(`Nats-Expected-Last-Subject-Sequence: ${expected}\r\nHact-Id: ${id}\r\n`);
    }
    let unsure = false;
    const stored = await this.persist(place.subject, payload, headers, (msg, attempt): Answer<number> => {
      unsure = attempt.unsure;
      const answer = decodeJson(msg.data) as { seq?: unknown; error?: unknown } | undefined;
      if (answer?.error === undefined && typeof answer?.seq === 'number') return ok(answer.seq);
      return refused(answer, place.subject);
    });
    if (stored.ok || stored.failure.kind !== 'conflict' || !unsure) return stored;
    return (await this.#lastIs(place, id)) ?? stored;
  }

  /** Deletes one message; `conflict` when it is not there any more. */
  remove(stream: string, seq: number): Promise<Result<void>> {
    const body = encode({ seq, no_erase: true });
    return this.persist(`$JS.API.STREAM.MSG.DELETE.${stream}`, body, undefined, (msg, attempt): Answer<void> => {
      const answer = decodeJson(msg.data);
      const error = errorOf(answer);
      if (error === undefined) return ok(undefined);
      const gone = error.err_code === errorCodes.sequenceNotFound || error.err_code === errorCodes.messageNotFound;
      // Servers before 2.10 tell a missing message by their words only.
      if (gone || (error.code !== 404 && /not found/.test(error.description ?? ''))) {
        return attempt.unsure ? ok(undefined) : fail('conflict', `message ${seq} of ${stream} is not there any more`);
      }
      return refused(answer, `the deletion of ${seq} in ${stream}`);
    });
  }

  /** Deletes all messages of a subject. */
  async purge(place: Place): Promise<Result<void>> {
    const done = await this.api(`STREAM.PURGE.${place.stream}`, { filter: place.subject });
    return done.ok ? ok(undefined) : done;
  }

  /** Configuration and state of a stream; undefined when there is none of that name. */
  info(stream: string): Promise<Result<Json | undefined>> {
    return this.persist(`$JS.API.STREAM.INFO.${stream}`, encode({}), undefined, (msg): Answer<Json | undefined> => {
      const answer = decodeJson(msg.data);
      if (errorOf(answer)?.err_code === errorCodes.streamNotFound) return ok(undefined);
      return answer === undefined || errorOf(answer) !== undefined ? refused(answer, `stream ${stream}`) : ok(answer);
    });
  }

  /** Subjects that have messages, and how many. */
  async subjects(place: Place): Promise<Result<Map<string, number>>> {
    const all = new Map<string, number>();
    for (;;) {
      const page = await this.api(`STREAM.INFO.${place.stream}`, { subjects_filter: place.subject, offset: all.size });
      if (!page.ok) return page;
      const parsed = subjectsSchema.safeParse(page.value);
      if (!parsed.success) return fail('internal', `unexpected answer to STREAM.INFO of ${place.stream}`);
      const found = Object.entries(parsed.data.state.subjects ?? {});
      for (const [subject, count] of found) all.set(subject, count);
      if (found.length === 0 || all.size >= (parsed.data.total ?? 0)) return ok(all);
    }
  }

  /** A call of the JetStream API in JSON. */
  api(call: string, body: Json): Promise<Result<Json>> {
    return this.persist(`$JS.API.${call}`, encode(body), undefined, (msg): Answer<Json> => {
      const answer = decodeJson(msg.data);
      return answer === undefined || errorOf(answer) !== undefined ? refused(answer, call) : ok(answer);
    });
  }

  /**
   * Sends a request until there is an answer or patience has run out. After a failure other than an answer it is not
   * known whether it was carried out.
   */
  async persist<T>(
    subject: string,
    payload: Uint8Array,
    headers: RawHeaders | undefined,
    read: (msg: Msg, attempt: Attempt) => Answer<T>,
  ): Promise<Result<T>> {
    const { patienceMs } = this.wire;
    const deadline = performance.now() + patienceMs;
    const attempt = { unsure: false };
    let silences = 0;
    for (let count = 1; ; count += 1) {
      const reply = await this.wire.ask(subject, payload, Math.min(longestAttemptMs, patienceMs), headers);
      const answer = reply.kind === 'answer' ? read(reply.msg, attempt) : undefined;
      if (answer !== undefined && answer !== 'no stream') return answer;
      if (reply.kind === 'denied') return { ok: false, failure: notPermitted(subject) };
      const absent = answer === 'no stream' || reply.kind === 'nobody';
      if (reply.kind === 'lost' || reply.kind === 'silent') attempt.unsure = true;
      silences = reply.kind === 'silent' ? silences + 1 : 0;
      if (silences >= silentAttempts && (await this.wire.answers(pongTimeoutMs))) return mute(subject);
      if (reply.kind === 'away' || performance.now() > deadline) {
        return absent ? noStream(subject) : { ok: false, failure: unreachable(subject, patienceMs) };
      }
      if (absent) await this.#restore();
      if (count > 1 && reply.kind !== 'silent') await pause(Math.min(20 * 2 ** count, 500));
    }
  }

  /** Whether the write named `id` is the subject's last, by the stream's leader: undefined when it is another. */
  async #lastIs(place: Place, id: string): Promise<Result<number> | undefined> {
    const last = await this.api(`STREAM.MSG.GET.${place.stream}`, { last_by_subj: place.subject });
    if (!last.ok) return last.failure.kind === 'bus_unreachable' ? last : undefined;
    const parsed = lastSchema.safeParse(last.value);
    if (!parsed.success) return undefined;
    const headers = Buffer.from(parsed.data.message.hdrs ?? '', 'base64').toString('latin1');
    return headers.includes(`Hact-Id: ${id}\r\n`) ? ok(parsed.data.message.seq) : undefined;
  }
}

const subjectsSchema = z.looseObject({
  total: z.number().optional(),
  state: z.looseObject({ subjects: z.record(z.string(), z.number()).nullish() }),
});
const lastSchema = z.looseObject({ message: z.looseObject({ seq: z.number(), hdrs: z.string().optional() }) });

export function errorOf(answer: unknown): ApiError | undefined {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined;
  const parsed = apiErrorSchema.safeParse(answer.error);
  return parsed.success ? parsed.data : { code: 500, description: 'an error without a code' };
}

export function refused(answer: unknown, what: string): Answer<never> {
  const error = errorOf(answer);
  if (error === undefined) return fail('internal', `unexpected answer of the server about ${what}`);
  if (error.err_code === errorCodes.streamNotFound) return 'no stream';
  return { ok: false, failure: refusalOf(error, what) };
}

const mute = (subject: string) =>
  fail(
    'storage_refused',
    `the server answers, but not about ${subject}: it cannot store, or is very busy`,
    'look at its disk space; after it was full, the server must be started again',
  );

const noStream = (subject: string) =>
  fail('storage_refused', `no stream on the server takes ${subject}`, 'is JetStream enabled, and has it disk space?');
