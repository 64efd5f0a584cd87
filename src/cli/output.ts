/** Where a command writes: the result on standard output; with `--json` everything for people on standard error. */
import type { Failure } from '../domain/failure.js';
import { isRetryable } from '../domain/failure.js';
import { type Style, styleFor } from './style.js';

export interface OutputFlags {
  readonly json?: boolean;
  readonly streamJson?: boolean;
}

export interface Output {
  /** `json`: one object at the end. `stream`: one event a line. */
  readonly mode: 'human' | 'json' | 'stream';
  /** A terminal that can be drawn on. */
  readonly live: boolean;
  readonly style: Style;
  columns(): number;
  rows(): number;
  /** A line for people. */
  say(line: string): void;
  /** A line beside the result, never in its place: on standard error. */
  note(line: string): void;
  /** Raw text for people, where they look at: for drawing. */
  draw(text: string): void;
  /** The result itself, for people; with `--json` nothing. */
  print(text: string): void;
  /** The result itself, for programs; without `--json` nothing. */
  json(value: unknown): void;
  fail(failure: Failure): void;
}

export function openOutput(flags: OutputFlags = {}): Output {
  const { env, stdout, stderr } = process;
  const mode = flags.streamJson ? 'stream' : flags.json ? 'json' : 'human';
  const people = mode === 'human' ? stdout : stderr;
  const terminal = people.isTTY === true && env.TERM !== 'dumb';
  const style = styleFor(terminal && (env.NO_COLOR ?? '') === '');
  const failStyle = styleFor(stderr.isTTY === true && env.TERM !== 'dumb' && (env.NO_COLOR ?? '') === '');
  const say = (line: string): void => void people.write(`${line}\n`);
  return {
    mode,
    live: terminal && mode !== 'stream' && !env.CI,
    style,
    columns: () => people.columns ?? 100,
    rows: () => people.rows ?? 24,
    say,
    note: (line) => void stderr.write(`${line}\n`),
    draw: (text) => void people.write(text),
    print: (text) => {
      if (mode === 'human') stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    json: (value) => {
      if (mode !== 'human') stdout.write(`${JSON.stringify(value)}\n`);
    },
    fail: (failure) => {
      stderr.write(`${failStyle.red('hact:')} ${inWords(failure)}\n`);
      if (mode !== 'human') stdout.write(`${JSON.stringify(failureJson(failure))}\n`);
    },
  };
}

/** What, why, and what to do. */
export const inWords = ({ message, hint }: Failure): string => (hint === undefined ? message : `${message} → ${hint}`);

const failureJson = (failure: Failure) => ({ v: 1, error: { ...failure, retryable: isRetryable(failure) } });
