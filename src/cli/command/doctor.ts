/** `hact doctor`: is everything there that Hermes needs, and where does each setting come from? */
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Explained } from '../../config/load.js';
import type { Settings } from '../../config/settings.js';
import type { Failure } from '../../domain/failure.js';
import { exitCodes } from '../exit.js';
import { isScripted } from '../offline-model.js';
import { inWords, type Output, type OutputFlags } from '../output.js';
import { run, value, withJson } from '../session.js';
import { type Flags, settingsFrom, withSettings } from '../settings.js';
import { pad } from '../style.js';

interface Check {
  readonly name: string;
  readonly state: 'ok' | 'note' | 'bad';
  readonly words: string;
  readonly advice?: string;
  /** Exit code when it is bad. */
  readonly code?: number;
}

export function addDoctorCommand(program: Command): void {
  withSettings(withJson(program.command('doctor').description('check this installation')))
    .option('--config', 'show every setting, its value and where it comes from')
    .action(doctor);
}

const doctor = (flags: Flags): Promise<void> =>
  run(flags as OutputFlags, async (output) => {
    const { settings, explanation } = value(await settingsFrom(flags));
    if (flags.config === true) return showSettings(explanation, output);
    const checks = [
      checkNode(),
      ...(await checkNats(settings)),
      await modelCheck(settings),
      ...(await checkFolders(settings)),
    ];
    output.json({ v: 1, checks: checks.map(({ code: _, ...check }) => check) });
    for (const check of checks) output.print(lineOf(check, output));
    return checks.find(({ state }) => state === 'bad')?.code ?? exitCodes.done;
  });

function lineOf({ advice, name, state, words }: Check, { style }: Output): string {
  const sign = state === 'ok' ? style.green('✔') : state === 'note' ? style.yellow('!') : style.red('✖');
  return `${sign} ${pad(name, 12)} ${words}${advice === undefined ? '' : ` → ${advice}`}`;
}

function showSettings(explanation: readonly Explained[], output: Output): number {
  output.json({ v: 1, settings: explanation });
  for (const { setting, value: set, source, variables, flag } of explanation) {
    const shown = set === undefined ? '(not set)' : typeof set === 'string' ? set : JSON.stringify(set);
    output.print(`${pad(setting, 30)} ${pad(shown, 34)} ${source}`);
    if (source === 'default') output.print(output.style.dim(`${' '.repeat(31)}${variables.join(' or ')}, ${flag}`));
  }
  return exitCodes.done;
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const fine = (major === 20 && minor >= 12) || (major > 20 && major < 25);
  return {
    name: 'node',
    state: fine ? 'ok' : 'bad',
    words: fine ? process.version : `${process.version}; expected 20.12 or newer, below 25`,
    ...(fine ? {} : { advice: 'install a Node of that range' }),
    code: exitCodes.usage,
  };
}

async function checkNats(settings: Settings): Promise<Check[]> {
  const { openRuntime } = await import('../../app/runtime.js');
  const opened = await openRuntime({ ...settings, log: { ...settings.log, level: 'silent' } }, { startServer: true });
  if (!opened.ok) return [unusable(opened.failure)];
  const { server, client } = opened.value;
  const { examine } = await import('../../app/examine.js');
  const findings = await examine(opened.value);
  const workers = await client.workers();
  await opened.value.close();
  const alive: Check = {
    name: 'workers',
    state: workers.ok && workers.value > 0 ? 'ok' : 'note',
    words: workers.ok ? `${workers.value} alive` : inWords(workers.failure),
  };
  return [
    ...(findings.ok
      ? findings.value.map((finding) => ({ ...finding, code: exitCodes.busUnreachable }))
      : [unusable(findings.failure)]),
    ...(server.started ? [] : [alive]),
  ];
}

const unusable = (why: Failure): Check => ({
  name: 'nats',
  state: 'bad',
  words: inWords(why),
  code: exitCodes.busUnreachable,
});

async function modelCheck(settings: Settings): Promise<Check> {
  if (isScripted(settings))
    return {
      name: 'model',
      state: 'note',
      words: 'none is set: the scripted model stands in (offline, decisions are rules)',
      advice: 'set HACT_MODEL',
    };
  const { checkModel } = await import('../../app/check.js');
  const checked = await checkModel(settings);
  return checked.ok
    ? { name: 'model', state: 'ok', words: checked.value }
    : { name: 'model', state: 'bad', words: inWords(checked.failure), code: exitCodes.modelUnreachable };
}

async function checkFolders({ files, dataDir }: Settings): Promise<Check[]> {
  const roots = await Promise.all(
    files.roots.map(async (root): Promise<Check> => {
      const problem = await problemWith(root, constants.R_OK);
      return problem === undefined
        ? { name: 'files', state: 'ok', words: root }
        : {
            name: 'files',
            state: 'bad',
            words: `${root}: ${problem}`,
            advice: 'set HACT_FILES_ROOTS',
            code: exitCodes.usage,
          };
    }),
  );
  await mkdir(join(dataDir), { recursive: true }).catch(() => undefined);
  const problem = await problemWith(dataDir, constants.W_OK);
  const data: Check =
    problem === undefined
      ? { name: 'data', state: 'ok', words: dataDir }
      : {
          name: 'data',
          state: 'bad',
          words: `${dataDir}: ${problem}`,
          advice: 'set HACT_DATA_DIR',
          code: exitCodes.usage,
        };
  return [...roots, data];
}

const problemWith = (path: string, mode: number): Promise<string | undefined> =>
  access(path, mode).then(
    () => undefined,
    (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? 'there is no such folder' : (error.code ?? error.message),
  );
