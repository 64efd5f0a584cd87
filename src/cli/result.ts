/** The result of a task, for people and for programs. */
import { isRetryable } from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import type { Report } from '../domain/report.js';
import type { TaskRecord } from '../domain/task.js';
import { costLine } from '../observe/cost.js';
import type { Output } from './output.js';
import { oneLine } from './style.js';

/** The `--json` form of a report, its children included. */
export function resultJson(report: Report): Record<string, unknown> {
  const { taskId, agentId, status, result, summary, artifacts, evidence, usage, termination, error, children } = report;
  const { unverified = [] } = report;
  return {
    v: 1,
    taskId,
    agentId,
    status,
    result,
    summary,
    unverified,
    artifacts,
    evidence,
    usage,
    termination,
    ...(error === undefined
      ? {}
      : { error: { kind: error.kind, message: error.message, retryable: isRetryable(error) } }),
    children: children.map(resultJson),
  };
}

/** Prints what came of a task that has ended. */
export function printResult({ report }: TaskRecord, output: Output): void {
  if (report === undefined) return;
  output.json(resultJson(report));
  const { status, termination, summary, error } = report;
  const text = resultText(report.result);
  if (text !== '') output.print(text);
  if (summary !== '' && summary !== text) output.print(text === '' ? summary : `\n${summary}`);
  const { style } = output;
  if (status !== 'done')
    output.say(
      style.yellow(`${status}: ${termination.replaceAll('_', ' ')}${error === undefined ? '' : ` (${error.message})`}`),
    );
  for (const line of unverifiedLines(report)) output.say(style.yellow(line));
  for (const { name, ref } of report.artifacts) output.say(style.dim(`artifact ${name}  ${ref.replace(/^file:/, '')}`));
  output.say(style.dim(costLine(report.usage)));
}

/** What stands in the result and not in the journals behind it. */
const unverifiedLines = ({ unverified = [] }: Report): string[] =>
  unverified.map(({ about, claim, reason }) =>
    oneLine(`unverified: ${about}${claim === '' || claim === about ? '' : ` in "${claim}"`}: ${reason}`),
  );

const resultText = (result: Json): string => {
  if (result === null) return '';
  return typeof result === 'string' ? result.trim() : JSON.stringify(result, null, 2);
};
