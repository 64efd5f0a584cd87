/**
 * The audit logs of a data folder: one file for each worker that ran there, because a chain has one writer, and one for
 * what was revealed.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../config/settings.js';
import { fail, ok, type Result } from '../domain/failure.js';
import { systemClock } from '../observe/clock.js';
import { type AuditEntry, type AuditKey, openAudit, verifyChain } from '../safety/audit.js';
import { auditFile } from '../safety/audit-file.js';
import { noTrail, type Trail, trailOver } from '../safety/trail.js';
import type { Runtime } from './runtime.js';

export type { AuditEntry } from '../safety/audit.js';

const revealsLog = 'reveals';
const folderOf = ({ dataDir }: Settings): string => join(dataDir, 'audit');
const storeOf = (settings: Settings, name: string) => auditFile(join(folderOf(settings), `${name}.jsonl`));

/** The trail of one worker; one that leaves nothing when no key is set. */
export async function openTrail(
  { log, redaction, redactor, settings }: Pick<Runtime, 'log' | 'redaction' | 'redactor' | 'settings'>,
  hostId: string,
): Promise<Result<Trail>> {
  const key = keyIn(settings);
  if (key === undefined) return ok(noTrail(redactor));
  const made = await makeFolder(settings);
  if (!made.ok) return made;
  const audit = await openAudit({ store: storeOf(settings, hostId), key, clock: systemClock, mayReveal: () => false });
  if (!audit.ok) return audit;
  return ok(trailOver(audit.value, redaction, (failure) => log.logger.error('audit', { failure })));
}

export interface AuditLog {
  readonly name: string;
  readonly entries: readonly AuditEntry[];
}

/** All logs, each with its chain verified. Fails at the first that does not hold, naming it. */
export async function readAuditLogs(settings: Settings): Promise<Result<AuditLog[]>> {
  const key = requiredKey(settings);
  if (!key.ok) return key;
  const files = await readdir(folderOf(settings)).catch(() => []);
  const names = files.filter((file) => file.endsWith('.jsonl')).map((file) => file.slice(0, -'.jsonl'.length));
  const logs: AuditLog[] = [];
  for (const name of names.sort()) {
    const entries = await storeOf(settings, name).read();
    if (!entries.ok) return entries;
    const sound = verifyChain(entries.value, key.value);
    if (!sound.ok) return fail(sound.failure.kind, `${name}: ${sound.failure.message}`, sound.failure.hint);
    logs.push({ name, entries: entries.value });
  }
  return ok(logs);
}

export interface Reveal {
  readonly log: string;
  readonly seq: number;
  readonly taskId: string;
  readonly by: string;
  readonly reason: string;
}

/** Shows an original to whoever has the key and says why; that is recorded first. */
export async function revealOriginal(settings: Settings, { log, ...asked }: Reveal): Promise<Result<string>> {
  const key = requiredKey(settings);
  if (!key.ok) return key;
  if (!/^[\w-]+$/.test(log)) return fail('invalid_request', `expected the name of a log, got ${JSON.stringify(log)}`);
  const made = await makeFolder(settings);
  if (!made.ok) return made;
  const audit = await openAudit({
    store: storeOf(settings, revealsLog),
    originals: { name: log, store: storeOf(settings, log) },
    key: key.value,
    clock: systemClock,
    mayReveal: () => true,
  });
  return audit.ok ? audit.value.reveal(asked) : audit;
}

async function makeFolder(settings: Settings): Promise<Result<void>> {
  try {
    await mkdir(folderOf(settings), { recursive: true, mode: 0o700 });
    return ok(undefined);
  } catch (error) {
    return fail('storage_refused', `the audit log cannot be kept: ${(error as Error).message}`);
  }
}

function keyIn({ audit }: Settings): AuditKey | undefined {
  if (audit.key === undefined) return undefined;
  const bytes = Buffer.from(audit.key, 'hex');
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

function requiredKey(settings: Settings): Result<AuditKey> {
  const key = keyIn(settings);
  return key === undefined ? fail('invalid_config', 'no audit key is set', 'set HACT_AUDIT_KEY') : ok(key);
}
