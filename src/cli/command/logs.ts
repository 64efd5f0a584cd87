/** `hact logs`: what workers of this data folder wrote about a task. */

import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Settings } from '../../config/settings.js';
import { FailureError, failure } from '../../domain/failure.js';
import type { TaskId } from '../../domain/id.js';
import { exitCodes } from '../exit.js';
import { onInterrupt } from '../interrupt.js';
import type { OutputFlags } from '../output.js';
import { run, value } from '../session.js';
import { type Flags, settingsFrom, withSettings } from '../settings.js';
import { taskIdFrom } from './task.js';

const lookAgainMs = 300;

export function addLogsCommand(program: Command): void {
  withSettings(
    program
      .command('logs')
      .description('log lines of a task, from the files of this data folder')
      .argument('<id>', 'a task', taskIdFrom),
  )
    .option('-f, --follow', 'go on until Ctrl-C')
    .action(logs);
}

const logs = (taskId: TaskId, flags: Flags): Promise<void> =>
  run(flags as OutputFlags, async () => {
    const { settings } = value(await settingsFrom(flags));
    const offsets = new Map<string, number>();
    let stopped = flags.follow !== true;
    const release = onInterrupt(() => {
      stopped = true;
    });
    const first = await printNew(settings, taskId, offsets);
    if (first === 0 && stopped) {
      throw new FailureError(
        failure(
          'not_found',
          `no log in ${join(settings.dataDir, 'logs')} mentions ${taskId}`,
          'workers of other machines keep their own; HACT_LOG=debug says more',
        ),
      );
    }
    while (!stopped) {
      await delay(lookAgainMs);
      await printNew(settings, taskId, offsets);
    }
    release();
    return exitCodes.done;
  });

/** Prints what was added since the last look, in the order of time, and returns the number of lines. */
async function printNew(settings: Settings, taskId: TaskId, offsets: Map<string, number>): Promise<number> {
  const lines: { readonly time: number; readonly text: string }[] = [];
  for (const path of await logFiles(settings)) {
    const from = offsets.get(path) ?? 0;
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    if (size <= from) continue;
    offsets.set(path, size);
    const reader = createInterface({ input: createReadStream(path, { start: from, end: size - 1 }) });
    for await (const text of reader) {
      if (text.includes(taskId)) lines.push({ time: timeOf(text), text });
    }
  }
  lines.sort((a, b) => a.time - b.time);
  for (const { text } of lines) process.stdout.write(`${text}\n`);
  return lines.length;
}

async function logFiles({ dataDir, log }: Settings): Promise<string[]> {
  const folder = join(dataDir, 'logs');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.log')).map((name) => join(folder, name));
  return log.file === undefined || files.includes(log.file) ? files : [...files, log.file];
}

const timeOf = (line: string): number => Number(/"time":(\d+)/.exec(line)?.[1] ?? 0);
