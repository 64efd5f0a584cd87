/** A program that starts an embedded server on a folder, says its pid, and lives until it is killed. */
import { startServer } from '../../src/bus/server.js';

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('usage: node nats-owner.js FOLDER');
const started = await startServer({ folder, env: process.env, fetch: false });
if (!started.ok) throw new Error(started.failure.message);
process.stdout.write(`${started.value.pid}\n`);
setInterval(() => undefined, 60_000);
