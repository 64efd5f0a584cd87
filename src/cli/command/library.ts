/** Commands that need no NATS: parse and machines. */
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { FailureError, failure } from '../../domain/failure.js';
import { exitCodes } from '../exit.js';
import { run, withJson } from '../session.js';

export function addLibraryCommands(program: Command): void {
  program
    .command('parse')
    .description('what the output pipeline makes of a model’s replies: one JSON a line in, one out')
    .option('--markers <file>', 'JSON or YAML file with further markers of output formats')
    .addHelpText(
      'after',
      '\nA line: {id?, text? | message? | chunks?, api?, finish_reason?, tools?, prompt_opened_reasoning?}',
    )
    .action(parse);
  withJson(program.command('machines').description('the statecharts, as Mermaid or JSON').argument('[name]')).action(
    machines,
  );
}

const parse = (flags: { markers?: string }): Promise<void> =>
  run({}, async (output) => {
    const [{ parseLine }, { loadMarkers }] = await Promise.all([
      import('../../app/parse.js'),
      import('../../app/markers.js'),
    ]);
    const markers = await loadMarkers(flags.markers);
    if (!markers.ok) throw new FailureError(markers.failure);
    if (process.stdin.isTTY) output.say(output.style.dim('reading JSON lines from standard input; Ctrl-D ends them'));
    let code: number = exitCodes.done;
    let number = 0;
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      if (line.trim() === '') continue;
      const { id, reply } = parseLine(line, markers.value);
      if (!reply.ok) {
        code = exitCodes.usage;
        process.stderr.write(`hact: line ${number}: ${reply.failure.message}\n`);
      }
      await write(`${JSON.stringify({ id, ...(reply.ok ? reply.value : { error: reply.failure }) })}\n`);
    }
    return code;
  });

/** Waits for a slow reader instead of keeping everything in memory. */
const write = (text: string): Promise<void> =>
  new Promise((resolve) => {
    if (process.stdout.write(text)) resolve();
    else process.stdout.once('drain', resolve);
  });

const machines = (name: string | undefined, flags: { json?: boolean }): Promise<void> =>
  run(flags, async (output) => {
    const { charts } = await import('../../app/charts.js');
    const all = charts();
    const wanted = name === undefined ? all : all.filter(({ chart }) => chart.id === name);
    if (wanted.length === 0) {
      throw new FailureError(
        failure(
          'not_found',
          `there is no statechart ${JSON.stringify(name)}`,
          `known: ${all.map(({ chart }) => chart.id).join(', ')}`,
        ),
      );
    }
    output.json(name === undefined ? wanted.map(({ chart }) => chart) : wanted[0]?.chart);
    for (const { mermaid } of wanted) output.print(mermaid);
    return exitCodes.done;
  });
