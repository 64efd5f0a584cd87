import { expect, test } from 'vitest';
import { ok } from '../../src/domain/failure.js';
import { type AuditEntry, openAudit } from '../../src/safety/audit.js';
import { createRedactor } from '../../src/safety/redact.js';
import { noTrail, trailOver } from '../../src/safety/trail.js';

const key = { id: 'k1', bytes: new Uint8Array(32).fill(7) };

async function opened(append: (entry: AuditEntry) => void, failures: string[] = []) {
  const store = {
    append: async (entry: AuditEntry) => {
      append(entry);
      return ok(undefined);
    },
    read: async () => ok([]),
  };
  const audit = await openAudit({ store, key, clock: { now: () => 1 }, mayReveal: () => false });
  if (!audit.ok) throw new Error(audit.failure.message);
  return trailOver(audit.value, { secrets: ['hunter2-hunter2'] }, ({ message }) => failures.push(message));
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('what is taken out of a text goes into the log of its task, once, unreadable', async () => {
  const entries: AuditEntry[] = [];
  const trail = await opened((entry) => entries.push(entry));
  const redactor = trail.redactorFor('t1');
  expect(redactor.text('write to ana@example.com')).toBe('write to [email]');
  expect(redactor.text('again: ana@example.com')).toBe('again: [email]');
  expect(redactor.json({ password: 'opensesame', note: '电话 13812345678' })).toEqual({
    password: '[password]',
    note: '电话 [phone]',
  });
  trail.redactorFor('t2').text('to ana@example.com too');
  await settled();
  expect(entries.map((entry) => [entry.taskId, entry.kind === 'kept' ? entry.what : ''])).toEqual([
    ['t1', 'email'],
    ['t1', 'password'],
    ['t1', 'phone'],
    ['t2', 'email'],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/ana@|opensesame|13812345678/);
});

test('what agents did stands beside it, in the order in which it was told', async () => {
  const entries: AuditEntry[] = [];
  const trail = await opened((entry) => entries.push(entry));
  trail.acted({ act: 'call.allowed', taskId: 't1', agentId: 't1', of: 'apr_1', by: '王芳' });
  trail.acted({ act: 'tool.ran', taskId: 't1', agentId: 't1', of: 'r1c1', tool: 'write_file', status: 'ok' });
  await settled();
  expect(entries).toMatchObject([
    { seq: 1, kind: 'acted', act: 'call.allowed', by: '王芳' },
    { seq: 2, kind: 'acted', act: 'tool.ran', tool: 'write_file' },
  ]);
});

test('a log that cannot be written stops nobody, and is told', async () => {
  const failures: string[] = [];
  const audit = {
    keep: async () => ({ ok: false as const, failure: { kind: 'storage_refused' as const, message: 'disk full' } }),
    acted: async () => ok(1),
    reveal: async () => ok(''),
    head: () => ({ seq: 0, hash: '' }),
  };
  const trail = trailOver(audit, {}, ({ message }) => failures.push(message));
  expect(trail.redactorFor('t1').text('ana@example.com')).toBe('[email]');
  await settled();
  expect(failures).toEqual(['disk full']);
});

test('without a log the redactor is the one that was given', () => {
  const redactor = createRedactor();
  expect(noTrail(redactor).redactorFor('t1')).toBe(redactor);
});
