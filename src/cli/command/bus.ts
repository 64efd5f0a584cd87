/** `hact bus`: what lies on the NATS server, who may do what there, and what could not be handled. */
import type { Command } from 'commander';
import type { ProviderLine } from '../../app/providers.js';
import { type DeadLetter, deadLetters, requeue } from '../../control/requeue.js';
import { exitCodes } from '../exit.js';
import { by } from '../follow.js';
import { inWords, type OutputFlags } from '../output.js';
import { run, value, withJson, withRuntime } from '../session.js';
import { type Flags, settingsFrom, withSettings } from '../settings.js';
import { clip, oneLine, pad } from '../style.js';
import { wholeNumber } from './task.js';

export function addBusCommands(program: Command): void {
  const bus = program.command('bus').description('streams, consumers, dead letters and users on the NATS server');
  const command = (name: string, description: string) =>
    withSettings(withJson(bus.command(name).description(description)));
  withSettings(withJson(bus)).action(survey);
  command('providers', 'who of the models’ providers is left alone, and what is used of their limits').action(
    listProviders,
  );
  command('dead', 'dead letters: what could not be handled, and why').action(listDead);
  command('requeue', 'hand a dead letter back, once: its message to the agent, or its order as a new task')
    .argument('<id>', 'as `hact bus dead` shows it', (text) => wholeNumber('<id>', text))
    .action(handBack);
  command('setup', 'make the streams, or bring them to this version (as hact_admin)').action(setUp);
  command('users', 'write a server configuration with one user for each role, and least rights')
    .option('--out <folder>', 'where to; made when it is not there', 'nats-users')
    .option('--user <names...>', 'more users, like hact_worker_berlin', [])
    .option('--host <address>', 'address that the server will listen on', '127.0.0.1')
    .option('--port <port>', 'its port', '4222')
    .action(writeUsers);
}

const survey = (flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async (session) => {
    const { output, server } = session;
    const { surveyBus } = await import('../../app/survey.js');
    const { streams, consumers } = value(await surveyBus(session));
    const letters = value(await deadLetters(session.control));
    const open = letters.filter(({ requeued }) => requeued === undefined);
    output.json({
      v: 1,
      server: server.shownUrl,
      version: server.version,
      streams,
      consumers,
      deadLetters: open.length,
    });
    output.print(`nats ${server.shownUrl}, version ${server.version}`);
    output.print(output.style.bold(row('stream', ['messages', 'bytes', 'consumers'])));
    for (const { name, there, messages, bytes, consumers: count } of streams)
      output.print(
        there ? row(name, [messages, bytes, count]) : `${pad(name, 34)} ${output.style.red('is not there')}`,
      );
    output.print(output.style.bold(row('consumer', ['lag', 'underway', 'redelivered', 'waiting'])));
    for (const { stream, name, lag, underway, redelivered, waiting } of consumers)
      output.print(row(`${stream} ${name}`, [lag, underway, redelivered, waiting]));
    if (consumers.length === 0) output.print('none: no worker has been here');
    output.print(`dead letters: ${open.length}${open.length > 0 ? '   hact bus dead' : ''}`);
    return exitCodes.done;
  });

const row = (name: string, cells: readonly (string | number)[]): string =>
  [
    pad(name, 34),
    ...cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell).padStart(12)),
  ].join(' ');

const listProviders = (flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async ({ bus, output }) => {
    const { surveyProviders } = await import('../../app/providers.js');
    const { limits, models } = value(await surveyProviders(bus, Date.now()));
    output.json({ v: 1, models, limits });
    if (models.length + limits.length === 0) output.say('no provider was ever ill, and none has a limit');
    for (const line of models) output.print(`${pad(`${line.provider} ${line.model}`, 34)} ${healthOf(line)}`);
    if (limits.length > 0)
      output.print(output.style.bold(row('per minute', ['limit', 'used', 'held', 'workers', 'waiting'])));
    for (const { provider, limit, used, held, workers, waiting } of limits)
      for (const kind of ['requests', 'tokens'] as const)
        if (limit[kind] > 0)
          output.print(row(`${provider} ${kind}`, [limit[kind], used[kind], held[kind], workers, waiting]));
    return exitCodes.done;
  });

function healthOf({ nextProbeAt, openSince, pausedUntil, state }: ProviderLine): string {
  const time = (at: number): string => new Date(at).toISOString().slice(11, 19);
  const pause = pausedUntil === null ? '' : `, and asked to be left alone until ${time(pausedUntil)}`;
  if (openSince === null) return `in use${pause}`;
  const next = state === 'probing' ? 'a probe is out' : `next probe from ${time(nextProbeAt ?? 0)}`;
  return `left alone since ${time(openSince)}, ${next}${pause}`;
}

const listDead = (flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async ({ control, output }) => {
    const letters = value(await deadLetters(control));
    output.json({ v: 1, deadLetters: letters });
    if (letters.length === 0) output.say('no dead letters');
    for (const letter of letters) output.print(lineOf(letter, output.columns()));
    return exitCodes.done;
  });

function lineOf({ id, at, agentId, reason, requeued }: DeadLetter, columns: number): string {
  const start = `${pad(String(id), 6)} ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} ${pad(agentId, 18)} `;
  const went = requeued === undefined ? '' : ` (went back, by ${requeued.by})`;
  return start + clip(oneLine(`${reason.kind}: ${inWords(reason)}${went}`), Math.max(40, columns - 44));
}

const handBack = (id: number, flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async ({ control, output }) => {
    const { as, at } = value(await requeue(control, id, by()));
    output.json({ v: 1, id, at, as });
    output.print(
      as.kind === 'task' ? `${as.taskId} is a new task of the same order` : `it lies in the inbox of ${as.agentId}`,
    );
    return exitCodes.done;
  });

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
