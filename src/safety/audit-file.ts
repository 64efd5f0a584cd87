/** An audit store in a file: one entry a line, readable by its owner only, on disk before an append returns. */
import { open, readFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../domain/failure.js';
import { type AuditEntry, type AuditStore, auditEntrySchema } from './audit.js';

export const auditFile = (path: string): AuditStore => ({
  async append(entry) {
    try {
      const file = await open(path, 'a', 0o600);
      try {
        await file.appendFile(`${JSON.stringify(entry)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      return ok(undefined);
    } catch (error) {
      return fail('storage_refused', `the audit log ${path} cannot be written: ${(error as Error).message}`);
    }
  },
  async read() {
    try {
      return entriesIn(await readFile(path, 'utf8'), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ok([]);
      return fail('storage_refused', `the audit log ${path} cannot be read: ${(error as Error).message}`);
    }
  },
});

function entriesIn(text: string, path: string): Result<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const entry = parsed(line);
    if (entry === undefined) return fail('conflict', `line ${index + 1} of the audit log ${path} is no audit entry`);
    entries.push(entry);
  }
  return ok(entries);
}

function parsed(line: string): AuditEntry | undefined {
  try {
    return auditEntrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
