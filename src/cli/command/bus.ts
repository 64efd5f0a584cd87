/** `hact bus`: what lies on the NATS server, who may do what there, and what could not be handled. */
import type { Command } from 'commander';
import { exitCodes } from '../exit.js';
import type { OutputFlags } from '../output.js';
import { run, value, withJson, withRuntime } from '../session.js';
import { type Flags, settingsFrom, withSettings } from '../settings.js';
import { pad } from '../style.js';
import { wholeNumber } from './task.js';

export function addBusCommands(program: Command): void {
  const bus = program.command('bus').description('streams, consumers, dead letters and users on the NATS server');
  const command = (name: string, description: string) =>
    withSettings(withJson(bus.command(name).description(description)));
  command('setup', 'make the streams, or bring them to this version (as hact_admin)').action(setUp);
  command('users', 'write a server configuration with one user for each role, and least rights')
    .option('--out <folder>', 'where to; made when it is not there', 'nats-users')
    .option('--user <names...>', 'more users, like hact_worker_berlin', [])
    .option('--host <address>', 'address that the server will listen on', '127.0.0.1')
    .option('--port <port>', 'its port', '4222')
    .action(writeUsers);
}

const setUp = (flags: Flags): Promise<void> =>
  withRuntime(flags, { startServer: 'kept', updateStreams: true }, async ({ output, server }) => {
    output.json({ v: 1, server: server.shownUrl, version: server.version });
    output.print(`streams are there on ${server.shownUrl}`);
    return exitCodes.done;
  });

const roles = ['hact_client', 'hact_worker', 'hact_inspector', 'hact_admin'];

const writeUsers = (flags: Flags): Promise<void> =>
  run(flags as OutputFlags, async (output) => {
    const { settings } = value(await settingsFrom(flags));
    const { writeRoleUsers } = await import('../../app/bus-users.js');
    const { prefix } = settings.nats;
    const [host, port] = [String(flags.host), wholeNumber('--port', flags.port) ?? 4222];
    const users = [...roles, ...(flags.user as string[])];
    const written = value(await writeRoleUsers(String(flags.out), { prefix, users, host, port }));
    output.json({ v: 1, ...written });
    output.print('start the server:');
    output.print(`  nats-server -c ${written.configuration}`);
    output.print('make the streams, once and after each upgrade:');
    const withUser = (file: string) => `env "$(cat ${file})"`;
    output.print(`  ${withUser(written.users.find(({ name }) => name === 'hact_admin')?.file ?? '')} hact bus setup`);
    output.print('then, each with the NATS_URL in its own file, which only you may read:');
    for (const { name, file } of written.users) output.print(`  ${pad(name, 24)} ${withUser(file)} hact …`);
    return exitCodes.done;
  });
