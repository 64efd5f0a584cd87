/**
 * The audit log: what agents did and were allowed to do, what redaction took out, encrypted, and who looked at it. Each
 * original is sealed with AES-256-GCM and
 * bound to its place, task and key; entries are chained by a keyed hash, so that a changed, missing or moved one shows.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../domain/clock.js';
import { fail, ok, type Result } from '../domain/failure.js';
import { canonicalJson, type JsonObject } from '../domain/json.js';

const sealSchema = z.object({ iv: z.string(), data: z.string(), tag: z.string() });

const base = z.object({
  v: z.literal(1),
  /** From 1, without gaps. */
  seq: z.number().int().positive(),
  /** ms since 1970. */
  at: z.number().int(),
  taskId: z.string(),
  keyId: z.string(),
  /** Hash of the entry before; empty for the first. */
  prev: z.string(),
  hash: z.string(),
});

export const auditEntrySchema = z.discriminatedUnion('kind', [
  /** An original that was replaced by a placeholder. */
  base.extend({ kind: z.literal('kept'), what: z.string(), seal: sealSchema }),
  /** A tool ran, a human allowed or denied a call, or a report came of a child that nobody waits for. */
  base.extend({
    kind: z.literal('acted'),
    act: z.enum(['tool.ran', 'call.allowed', 'call.denied', 'report.refused']),
    agentId: z.string(),
    /** Id of the call, of the request to the human, or of the agent that is said to report. */
    of: z.string(),
    /** Name of the tool. */
    tool: z.string().optional(),
    status: z.string().optional(),
    argumentsHash: z.string().optional(),
    by: z.string().optional(),
  }),
  /** Somebody asked to see an original, and was or was not shown it. */
  base.extend({
    kind: z.literal('revealed'),
    /** Name of the log that holds the original; empty: this one. */
    log: z.string(),
    of: z.number().int(),
    by: z.string(),
    reason: z.string(),
    granted: z.boolean(),
  }),
]);
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Where entries lie. `append` resolves once the entry is safe. Neither throws. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<Result<void>>;
  read(): Promise<Result<AuditEntry[]>>;
}

export interface AuditKey {
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** What an agent did, for the log. */
export type Act = Omit<Extract<AuditEntry, { kind: 'acted' }>, 'v' | 'seq' | 'at' | 'keyId' | 'prev' | 'hash' | 'kind'>;

export interface AuditOptions {
  /** Written by this process alone. */
  readonly store: AuditStore;
  /** Where originals lie that are to be revealed, when that is another process's log. Default: `store`. */
  readonly originals?: { readonly name: string; readonly store: AuditStore };
  readonly key: AuditKey;
  readonly clock: Pick<Clock, 'now'>;
  /** Who may see originals. */
  mayReveal(by: string, taskId: string): boolean;
}

export interface Audit {
  /** Keeps an original and returns the number of its entry. */
  keep(original: { readonly taskId: string; readonly what: string; readonly value: string }): Promise<Result<number>>;
  acted(act: Act): Promise<Result<number>>;
  /** Shows an original of a task. The entry that says so is safe before anything is shown; refusals are recorded too. */
  reveal(asked: {
    readonly seq: number;
    readonly taskId: string;
    readonly by: string;
    readonly reason: string;
  }): Promise<Result<string>>;
  /** Number and hash of the last entry. Kept elsewhere, it shows that the end of the log is missing. */
  head(): { readonly seq: number; readonly hash: string };
}

/** Fails when the store cannot be read or its chain is broken. */
export async function openAudit(options: AuditOptions): Promise<Result<Audit>> {
  if (options.key.bytes.length !== 32) return fail('invalid_config', 'the audit key must have 32 bytes');
  const stored = await options.store.read();
  if (!stored.ok) return stored;
  const sound = verifyChain(stored.value, options.key);
  return sound.ok ? ok(auditOver(options, stored.value.at(-1))) : sound;
}

/** Names the first entry at which the chain does not hold. With `head`, also an end that is missing. */
export function verifyChain(
  entries: readonly AuditEntry[],
  key: AuditKey,
  head?: { readonly seq: number; readonly hash: string },
): Result<number> {
  const mac = chainKey(key);
  let prev = '';
  for (const [index, entry] of entries.entries()) {
    if (entry.seq !== index + 1)
      return fail('conflict', `audit entry ${index + 1} is missing: entry ${entry.seq} stands there`);
    if (entry.prev !== prev || !sameHash(entry.hash, hashOf(entry, mac))) {
      return fail('conflict', `audit entry ${entry.seq} was changed, or another one stands before it than did`);
    }
    prev = entry.hash;
  }
  if (head !== undefined && (entries.length < head.seq || (entries[head.seq - 1]?.hash ?? '') !== head.hash)) {
    return fail('conflict', `the audit log ends at entry ${entries.length}, it had ${head.seq}`);
  }
  return ok(entries.length);
}

type Fields = AuditEntry extends infer E
  ? E extends AuditEntry
    ? Omit<E, 'v' | 'seq' | 'at' | 'keyId' | 'prev' | 'hash'>
    : never
  : never;

function auditOver(options: AuditOptions, last: AuditEntry | undefined): Audit {
  const { store, key, clock, mayReveal, originals = { name: '', store } } = options;
  const mac = chainKey(key);
  let head = { seq: last?.seq ?? 0, hash: last?.hash ?? '' };
  let queue: Promise<unknown> = Promise.resolve();
  /** One at a time: each entry needs the hash of the one before. */
  const append = (fields: (seq: number) => Fields): Promise<Result<number>> => {
    const run = async (): Promise<Result<number>> => {
      const seq = head.seq + 1;
      const open = { v: 1 as const, seq, at: clock.now(), keyId: key.id, prev: head.hash, ...fields(seq) };
      const entry = { ...open, hash: hashOf(open, mac) } as AuditEntry;
      const stored = await store.append(entry);
      if (!stored.ok) return stored;
      head = { seq, hash: entry.hash };
      return ok(seq);
    };
    const next = queue.then(run);
    queue = next.catch(() => undefined);
    return next;
  };
  const record = (asked: Parameters<Audit['reveal']>[0], granted: boolean): Promise<Result<number>> =>
    append(() => ({
      kind: 'revealed',
      taskId: asked.taskId,
      log: originals.name,
      of: asked.seq,
      by: asked.by,
      reason: asked.reason,
      granted,
    }));
  return {
    head: () => head,
    keep: ({ taskId, what, value }) =>
      append((seq) => ({ kind: 'kept', taskId, what, seal: sealed(value, key, `${key.id}\n${taskId}\n${seq}`) })),
    acted: (act) => append(() => ({ kind: 'acted', ...act })),
    async reveal(asked) {
      const entries = await originals.store.read();
      if (!entries.ok) return entries;
      // Our own was verified when it was opened.
      const sound = originals.store === store ? ok(0) : verifyChain(entries.value, key);
      if (!sound.ok) return sound;
      const entry = entries.value.find((one) => one.seq === asked.seq);
      const mine = entry?.kind === 'kept' && entry.taskId === asked.taskId;
      const granted = mine && asked.reason.trim() !== '' && asked.by !== '' && mayReveal(asked.by, asked.taskId);
      const recorded = await record(asked, granted);
      if (!recorded.ok) return recorded;
      if (!granted || entry?.kind !== 'kept') {
        return fail(
          'not_permitted',
          `audit entry ${asked.seq} is not shown to ${asked.by || 'nobody'}`,
          'it takes the right to reveal, a reason, and the task it belongs to',
        );
      }
      return opened(entry, key);
    },
  };
}

/** A key of its own for the chain, derived from the one for the contents. */
const chainKey = (key: AuditKey): Buffer => Buffer.from(hkdfSync('sha256', key.bytes, '', 'audit chain', 32));

function hashOf(entry: object, mac: Buffer): string {
  const { hash: _, ...rest } = entry as JsonObject;
  return createHmac('sha256', mac).update(canonicalJson(rest)).digest('hex');
}

const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

function sealed(value: string, key: AuditKey, bound: string): z.infer<typeof sealSchema> {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(Buffer.from(bound));
  const data = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return { iv: iv.toString('base64'), data: data.toString('base64'), tag: cipher.getAuthTag().toString('base64') };
}

function opened(entry: Extract<AuditEntry, { kind: 'kept' }>, key: AuditKey): Result<string> {
  if (entry.keyId !== key.id) return fail('not_found', `audit entry ${entry.seq} was sealed with key ${entry.keyId}`);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(entry.seal.iv, 'base64'))
      .setAAD(Buffer.from(`${entry.keyId}\n${entry.taskId}\n${entry.seq}`))
      .setAuthTag(Buffer.from(entry.seal.tag, 'base64'));
    return ok(decipher.update(entry.seal.data, 'base64', 'utf8') + decipher.final('utf8'));
  } catch {
    return fail(
      'conflict',
      `audit entry ${entry.seq} does not open: it was changed, moved, or sealed with another key`,
    );
  }
}
