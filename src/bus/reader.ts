/**
 * Reading messages of streams by direct get: no consumer, no state on the server. Where a stream has copies, a direct
 * read may be answered by a copy that lags behind; then the leader is asked instead, which is slower and never stale.
 */
import type { Msg } from 'nats';
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import { atLeast } from './binary.js';
import { errorCodes, notPermitted } from './refusal.js';
import { type Answer, errorOf, type Place, refused, type Store } from './store.js';
import { decodeJson, encode } from './text.js';

/** A message as a stream keeps it. */
export interface Kept {
  readonly seq: number;
  readonly subject: string;
  readonly data: Uint8Array;
  /** Not a value: another client's note that the key was deleted. */
  readonly marker: boolean;
}

const nothing = new Uint8Array(0);
const fewMessages = 8;
const parts = 16;
const batch = 512;
const batchTimeoutMs = 5_000;
/** The first version that answers a direct read with several messages. */
const batchVersion = '2.11.0';

const keptSchema = z.looseObject({
  message: z.looseObject({
    seq: z.number(),
    subject: z.string(),
    data: z.string().optional(),
    hdrs: z.string().optional(),
  }),
});

export class Reader {
  readonly #store: Store;
  readonly #fromLeader: boolean;

  constructor(store: Store, options: { fromLeader: boolean }) {
    this.#store = store;
    this.#fromLeader = options.fromLeader;
  }

  /** The last message of exactly this subject. */
  last(place: Place): Promise<Result<Kept | undefined>> {
    if (this.#fromLeader) return this.#getFromLeader(place.stream, { last_by_subj: place.subject });
    return this.#get(`$JS.API.DIRECT.GET.${place.stream}.${place.subject}`, nothing);
  }

  /** The last message whose subject matches; wildcards are allowed. */
  lastMatching(place: Place): Promise<Result<Kept | undefined>> {
    return this.#read(place.stream, { last_by_subj: place.subject });
  }

  /** The messages after `seq` whose subject matches, in order, at most `limit` of them. */
  async after(place: Place, seq: number, limit = Number.POSITIVE_INFINITY): Promise<Result<Kept[]>> {
    // Most reads find nothing new, and the last message of a subject is found without a search.
    const last = await this.lastMatching(place);
    return last.ok ? this.#until(last.value?.seq ?? 0, place, seq, limit) : last;
  }

  /** The same for a reader that has come to `seq`; all messages when the stream has begun anew since then. */
  async afterCursor(place: Place, seq: number, likely = false): Promise<Result<Kept[]>> {
    // Both at once: most of the time, the next one is the last one.
    const asked = likely && !this.#hasBatches() ? this.#next(place, seq + 1) : undefined;
    const last = await this.lastMatching(place);
    const next = await asked;
    if (!last.ok) return last;
    const reached = last.value?.seq ?? 0;
    const first = next?.ok ? next.value : undefined;
    if (first === undefined || reached < seq)
      return this.#until(reached, place, reached < seq ? 0 : seq, Number.POSITIVE_INFINITY);
    const rest = await this.#until(reached, place, first.seq, Number.POSITIVE_INFINITY);
    return rest.ok ? ok([first, ...rest.value]) : rest;
  }

  #hasBatches(): boolean {
    return !this.#fromLeader && atLeast(this.#store.wire.status().version, batchVersion);
  }

  #next(place: Place, from: number): Promise<Result<Kept | undefined>> {
    return this.#read(place.stream, { seq: from, next_by_subj: place.subject });
  }

  async #until(last: number, place: Place, seq: number, limit: number): Promise<Result<Kept[]>> {
    if (last <= seq) return ok([]);
    if (this.#hasBatches()) {
      return this.#inBatches(place, seq, last, limit);
    }
    return Number.isFinite(limit) ? this.#walk(place, seq + 1, last, limit) : this.#oneByOne(place, seq, last);
  }

  /** The first few in turn; if there are more, the rest by several readers, each in its own part of the sequences. */
  async #oneByOne(place: Place, seq: number, until: number): Promise<Result<Kept[]>> {
    const first = await this.#walk(place, seq + 1, until, fewMessages);
    const reached = first.ok ? (first.value.at(-1)?.seq ?? until) : until;
    if (!first.ok || reached >= until) return first;
    const part = Math.ceil((until - reached) / parts);
    const walks = Array.from({ length: parts }, (_, index) => {
      const from = reached + 1 + index * part;
      return this.#walk(place, from, Math.min(from + part - 1, until));
    });
    const kept = [first.value];
    for (const walk of await Promise.all(walks)) {
      if (!walk.ok) return walk;
      kept.push(walk.value);
    }
    return ok(kept.flat());
  }

  async #walk(place: Place, start: number, until: number, limit = Number.POSITIVE_INFINITY): Promise<Result<Kept[]>> {
    const kept: Kept[] = [];
    for (let from = start; from <= until && kept.length < limit; ) {
      const found = await this.#next(place, from);
      if (!found.ok) return found;
      if (found.value === undefined || found.value.seq > until) break;
      kept.push(found.value);
      from = found.value.seq + 1;
    }
    return ok(kept);
  }

  async #inBatches(place: Place, seq: number, until: number, limit: number): Promise<Result<Kept[]>> {
    const { wire } = this.#store;
    const kept: Kept[] = [];
    let from = seq + 1;
    for (let failures = 0; from <= until && kept.length < limit; ) {
      const body = encode({ seq: from, next_by_subj: place.subject, batch: Math.min(batch, limit - kept.length) });
      const before = kept.length;
      const reply = await wire.askMany(`$JS.API.DIRECT.GET.${place.stream}`, body, batchTimeoutMs, (msg) => {
        const one = msg.headers?.code === 0 ? keptOf(msg) : undefined;
        if (one !== undefined) kept.push(one);
        return one === undefined;
      });
      if (reply.kind === 'denied') return { ok: false, failure: notPermitted(place.subject) };
      from = (kept.at(-1)?.seq ?? from - 1) + 1;
      if (reply.kind === 'answer' && kept.length === before) break;
      if (reply.kind === 'answer') continue;
      // Cut in the middle: what came is whole and in order, the rest is asked for again; then with the patience of single reads.
      failures += 1;
      if (failures > 1) {
        const probe = await this.lastMatching(place);
        if (!probe.ok) return probe;
      }
    }
    return ok(kept);
  }

  #read(stream: string, query: Json): Promise<Result<Kept | undefined>> {
    return this.#fromLeader
      ? this.#getFromLeader(stream, query)
      : this.#get(`$JS.API.DIRECT.GET.${stream}`, encode(query));
  }

  #get(subject: string, payload: Uint8Array): Promise<Result<Kept | undefined>> {
    return this.#store.persist(subject, payload, undefined, (msg): Answer<Kept | undefined> => {
      const code = msg.headers?.code ?? 0;
      if (code === 404) return ok(undefined);
      const kept = code === 0 ? keptOf(msg) : undefined;
      return kept === undefined ? fail('internal', `unexpected answer ${code} to ${subject}`) : ok(kept);
    });
  }

  #getFromLeader(stream: string, query: Json): Promise<Result<Kept | undefined>> {
    const call = `$JS.API.STREAM.MSG.GET.${stream}`;
    return this.#store.persist(call, encode(query), undefined, (msg): Answer<Kept | undefined> => {
      const answer = decodeJson(msg.data);
      if (errorOf(answer)?.err_code === errorCodes.messageNotFound) return ok(undefined);
      const parsed = keptSchema.safeParse(answer);
      if (!parsed.success) return refused(answer, call);
      const { seq, subject, data, hdrs } = parsed.data.message;
      const marker = data === undefined && Buffer.from(hdrs ?? '', 'base64').includes('KV-Operation:');
      return ok({ seq, subject, data: Buffer.from(data ?? '', 'base64'), marker });
    });
  }
}

function keptOf(msg: Msg): Kept | undefined {
  const { headers, data } = msg;
  const seq = Number(headers?.get('Nats-Sequence') ?? 0);
  if (headers === undefined || seq === 0) return undefined;
  return { seq, subject: headers.get('Nats-Subject'), data, marker: data.length === 0 && headers.has('KV-Operation') };
}
