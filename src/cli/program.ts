/** The command line as a whole. */
import { Command, CommanderError } from 'commander';
import { FailureError } from '../domain/failure.js';
import { exitCodes } from './exit.js';
import { openOutput } from './output.js';
import { oneLine } from './style.js';

/** In the order of the help. Only what a command line needs is loaded: it makes the difference between 0.2 and 1 s. */
const groups: readonly { readonly names: readonly string[]; add(program: Command): Promise<void> }[] = [
  { names: ['run'], add: async (program) => (await import('./command/run.js')).addRunCommand(program) },
  { names: ['dev', 'inspect'], add: async (program) => (await import('./command/dev.js')).addDevCommands(program) },
  { names: ['worker'], add: async (program) => (await import('./command/worker.js')).addWorkerCommand(program) },
  {
    names: ['submit', 'watch', 'ls', 'show', 'cost'],
    add: async (program) => (await import('./command/task.js')).addTaskCommands(program),
  },
  {
    names: ['pause', 'resume', 'cancel', 'correct', 'budget', 'approve', 'deny', 'answer'],
    add: async (program) => (await import('./command/steer.js')).addSteerCommands(program),
  },
  { names: ['replay'], add: async (program) => (await import('./command/replay.js')).addReplayCommand(program) },
  { names: ['audit'], add: async (program) => (await import('./command/audit.js')).addAuditCommand(program) },
  { names: ['logs'], add: async (program) => (await import('./command/logs.js')).addLogsCommand(program) },
  { names: ['demo'], add: async (program) => (await import('./command/demo.js')).addDemoCommand(program) },
  {
    names: ['parse', 'machines'],
    add: async (program) => (await import('./command/library.js')).addLibraryCommands(program),
  },
  { names: ['protocol'], add: async (program) => (await import('./command/protocol.js')).addProtocolCommand(program) },
  { names: ['bus'], add: async (program) => (await import('./command/bus.js')).addBusCommands(program) },
  { names: ['doctor'], add: async (program) => (await import('./command/doctor.js')).addDoctorCommand(program) },
];

const exitHelp = `
Exit codes: 0 done, 1 failed, 2 bad usage or configuration, 3 budget exhausted, 4 denied, 5 NATS unreachable,
6 model unreachable, 7 cancelled, 8 over a quota, 124 deadline, 130 Ctrl-C.
Settings come from flags, environment (HACT_…), hact.config.*; hact doctor --config shows all of them.`;

/** Runs one command line, the program's own name not included. Sets the exit code and returns. */
export async function runProgram(args: readonly string[], version: string): Promise<void> {
  const program = new Command('hact')
    .description('Hermes Actors: durable agents on NATS')
    .version(version)
    .addHelpText('after', exitHelp)
    .enablePositionalOptions()
    .showHelpAfterError(false)
    .configureHelp({ showGlobalOptions: false });
  const group = groups.find(({ names }) => names.includes(args[0] ?? ''));
  const onlyVersion = args[0] === '--version' || args[0] === '-V';
  for (const { add } of group === undefined ? (onlyVersion ? [] : groups) : [group]) await add(program);
  quiet(program, 'hact');
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Arguments are read before a command begins.
    if (error instanceof FailureError) {
      openOutput({ json: args.includes('--json') }).fail(error.failure);
      process.exitCode = exitCodes.usage;
      return;
    }
    if (!(error instanceof CommanderError)) throw error;
    const help =
      error.code === 'commander.help' || error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
    process.exitCode = help && error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** Mistakes in one line, in our words and with our exit code. */
function quiet(command: Command, path: string): void {
  for (const child of command.commands) quiet(child, `${path} ${child.name()}`);
  command.exitOverride();
  command.configureOutput({
    outputError: (text, write) => {
      write(`hact: ${oneLine(text.replace(/^error: /, ''))} → ${path} --help\n`);
    },
  });
}
