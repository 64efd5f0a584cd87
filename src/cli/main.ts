#!/usr/bin/env node
/** The program `hact`. */
import { readFileSync } from 'node:fs';
import { runProgram } from './program.js';
import { endWithOwner, guardVariable } from './worker-process.js';

// A reader that goes away (`hact … | head`) is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

if (process.env[guardVariable] !== undefined) endWithOwner();

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

await runProgram(process.argv.slice(2), manifest.version);
