/** The command line as a whole. */
import { Command, CommanderError } from 'commander';
import { FailureError } from '../domain/failure.js';
import { addDemoCommand } from './command/demo.js';
import { addDevCommands } from './command/dev.js';
import { addDoctorCommand } from './command/doctor.js';
import { addLibraryCommands } from './command/library.js';
import { addLogsCommand } from './command/logs.js';
import { addProtocolCommand } from './command/protocol.js';
import { addReplayCommand } from './command/replay.js';
import { addRunCommand } from './command/run.js';
import { addSteerCommands } from './command/steer.js';
import { addTaskCommands } from './command/task.js';
import { addWorkerCommand } from './command/worker.js';
import { exitCodes } from './exit.js';
import { openOutput } from './output.js';
import { oneLine } from './style.js';

const exitHelp = `
Exit codes: 0 done, 1 failed, 2 bad usage or configuration, 3 budget exhausted, 4 denied, 5 NATS unreachable,
6 model unreachable, 7 cancelled, 124 deadline, 130 Ctrl-C.
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
  addRunCommand(program);
  addDevCommands(program);
  addWorkerCommand(program);
  addTaskCommands(program);
  addSteerCommands(program);
  addReplayCommand(program);
  addLogsCommand(program);
  addDemoCommand(program);
  addLibraryCommands(program);
  addProtocolCommand(program);
  addDoctorCommand(program);
  for (const command of [program, ...program.commands]) quiet(command);
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
function quiet(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    outputError: (text, write) => {
      const path = command.name() === 'hact' ? 'hact' : `hact ${command.name()}`;
      write(`hact: ${oneLine(text.replace(/^error: /, ''))} → ${path} --help\n`);
    },
  });
}
