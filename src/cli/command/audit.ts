/** `hact audit`: what the audit logs of the data folder say, verified; and the originals behind placeholders. */
import type { Command } from 'commander';
import type { AuditEntry } from '../../app/audit.js';
import { exitCodes } from '../exit.js';
import { by } from '../follow.js';
import type { OutputFlags } from '../output.js';
import { run, value, withJson } from '../session.js';
import { type Flags, settingsFrom, withSettings } from '../settings.js';
import { taskIdFrom, wholeNumber } from './task.js';

export function addAuditCommand(program: Command): void {
  withJson(
    withSettings(program.command('audit').description('verify and list the audit logs of this data folder'))
      .argument('[id]', 'entries of this task only', taskIdFrom)
      .option('--reveal <log:seq>', 'show the original behind an entry of the task; takes --reason, and is recorded')
      .option('--reason <text>', 'why it must be seen'),
  ).action(audit);
}

const audit = (taskId: string | undefined, flags: Flags): Promise<void> =>
  run(flags as OutputFlags, async (output) => {
    const { settings } = value(await settingsFrom(flags));
    const { readAuditLogs, revealOriginal } = await import('../../app/audit.js');
    if (typeof flags.reveal === 'string') {
      const [log = '', seq] = flags.reveal.split(':');
      const reason = String(flags.reason ?? '');
      const asked = { log, seq: wholeNumber('--reveal', seq) ?? 0, taskId: taskId ?? '', by: by(), reason };
      const original = value(await revealOriginal(settings, asked));
      output.json({ v: 1, original });
      output.print(original);
      return exitCodes.done;
    }
    const logs = value(await readAuditLogs(settings));
    const shown = logs.map(({ name, entries }) => ({
      name,
      entries: entries.filter((entry) => taskId === undefined || entry.taskId === taskId),
    }));
    output.json({ v: 1, logs: shown });
    for (const { name, entries } of shown) for (const entry of entries) output.print(lineOf(name, entry));
    output.say(
      `${logs.length} logs, ${logs.reduce((sum, { entries }) => sum + entries.length, 0)} entries, chains hold`,
    );
    return exitCodes.done;
  });

const lineOf = (log: string, entry: AuditEntry): string =>
  `${new Date(entry.at).toISOString()} ${log}:${entry.seq} ${entry.taskId} ${wordsOf(entry)}`;

function wordsOf(entry: AuditEntry): string {
  switch (entry.kind) {
    case 'kept':
      return `kept ${entry.what}`;
    case 'acted': {
      const { act, agentId, argumentsHash, by: who, of, status, tool } = entry;
      return [act, agentId, of, tool, status, argumentsHash, who && `by ${who}`].filter(Boolean).join(' ');
    }
    case 'revealed':
      return `${entry.granted ? 'revealed' : 'refused'} ${entry.log}:${entry.of} to ${entry.by}: ${entry.reason}`;
  }
}
