/** `hact protocol`: the JSON Schemas of everything that clients send and hear. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { documentText, protocolDocuments } from '../../control/documents.js';
import { FailureError, failure } from '../../domain/failure.js';
import { exitCodes } from '../exit.js';
import { run } from '../session.js';

export function addProtocolCommand(program: Command): void {
  program
    .command('protocol')
    .description('JSON Schemas of requests, answers, events and reports')
    .argument('[name]', 'like task.submit, event, report; without it, all names')
    .option('--write <folder>', 'write all of them into a folder')
    .action(protocol);
}

const protocol = (name: string | undefined, { write }: { write?: string }): Promise<void> =>
  run({}, async (output) => {
    const documents = protocolDocuments();
    if (write !== undefined) {
      await mkdir(write, { recursive: true });
      const stale = (await readdir(write)).filter(
        (file) => file.endsWith('.json') && !documents.has(file.slice(0, -5)),
      );
      await Promise.all(stale.map((file) => rm(join(write, file))));
      await Promise.all(
        [...documents].map(([key, content]) => writeFile(join(write, `${key}.json`), documentText(content))),
      );
      output.print(`${documents.size} schemas written to ${write}`);
      return exitCodes.done;
    }
    const names = [...documents.keys()];
    const wanted =
      name === undefined
        ? []
        : names.filter((key) => key === name || key === `${name}.request` || key === `${name}.response`);
    if (name !== undefined && wanted.length === 0) {
      throw new FailureError(
        failure('not_found', `there is no message ${JSON.stringify(name)}`, `known are ${names.join(', ')}`),
      );
    }
    for (const key of wanted) output.print(documentText(documents.get(key) ?? {}));
    if (name === undefined) output.print(names.join('\n'));
    return exitCodes.done;
  });
