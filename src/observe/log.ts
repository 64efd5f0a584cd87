/** The log: JSON lines by pino. This is the only place that knows pino. */
import { pino } from 'pino';
import type { AgentId, RoleName, TaskId } from '../domain/id.js';
import { type Bounds, boundedLine } from './bound.js';

/** Stands on every line of a logger that was made for an agent. */
export interface LogContext {
  readonly traceId?: string;
  readonly taskId?: TaskId;
  readonly agentId?: AgentId;
  readonly role?: RoleName;
  readonly round?: number;
  /** The process. */
  readonly host?: string;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, unknown>>;

/** Never throws and never blocks on what it is given: any value of any size becomes one line. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** For logic errors too: pass the whole context, the limits are wider here. */
  error(message: string, fields?: LogFields): void;
  /** False when lines of this level are written nowhere: then there is no need to make them. */
  writes(level: Level): boolean;
  /** The same log with more context on every line. */
  with(context: LogContext): Logger;
}

export interface LogOptions {
  readonly level: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
  /** A file (its folder is made), standard error, or a sink of lines that end in a newline. */
  readonly destination: { readonly path: string } | 'stderr' | { write(line: string): void };
  /** Takes secrets and personal data out of a text. Called for every text before it is written. */
  readonly redact: (text: string) => string;
  /** ms since 1970. */
  readonly now?: () => number;
}

export interface Log {
  readonly logger: Logger;
  /** Resolves when everything logged so far is written, or cannot be. */
  close(): Promise<void>;
}

const usual: Bounds = { text: 2_000, total: 16_000, entries: 100, depth: 6 };
const wide: Bounds = { text: 32_000, total: 128_000, entries: 1_000, depth: 12 };

/** Names that pino or the context put on a line; a field of the same name gets an underscore. */
const taken: ReadonlySet<string> = new Set([
  'level',
  'time',
  'msg',
  'traceId',
  'taskId',
  'agentId',
  'role',
  'round',
  'host',
]);

export function openLog(options: LogOptions): Log {
  const sink = openSink(options.destination);
  const { now = Date.now, redact } = options;
  const root = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":${now()}`,
      formatters: { level: (label) => ({ level: label }) },
    },
    sink.stream,
  );
  return { logger: loggerOn(root, redact, {}), close: sink.close };
}

function loggerOn(root: pino.Logger, redact: (text: string) => string, context: LogContext): Logger {
  // Always a child of the root: a child of a child would repeat the names that change, like the round.
  // It is made on the first line that is written, as most loggers of a quiet process write none.
  let target: pino.Logger | undefined;
  const write = (level: Level, message: string, fields: LogFields = {}): void => {
    if (!root.isLevelEnabled(level)) return;
    target ??= root.child({ ...boundedLine('', { ...context }, usual, redact).fields });
    const line = boundedLine(message, free(fields), level === 'error' ? wide : usual, redact);
    target[level](line.fields, line.message);
  };
  return {
    writes: (level) => root.isLevelEnabled(level),
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    with: (more) => loggerOn(root, redact, { ...context, ...more }),
  };
}

/** The fields under names that do not stand on the line already. */
const free = (fields: LogFields): LogFields =>
  Object.keys(fields).some((key) => taken.has(key))
    ? Object.fromEntries(Object.entries(fields).map(([key, value]) => [taken.has(key) ? `${key}_` : key, value]))
    : fields;

interface Sink {
  readonly stream: pino.DestinationStream;
  close(): Promise<void>;
}

function openSink(destination: LogOptions['destination']): Sink {
  if (destination !== 'stderr' && 'write' in destination) {
    return { stream: destination, close: async () => {} };
  }
  const stream = pino.destination({
    dest: destination === 'stderr' ? 2 : destination.path,
    mkdir: true,
    sync: false,
  });
  let closing: Promise<void> | undefined;
  // A full disk or a closed pipe costs log lines, never the process.
  stream.on('error', () => {});
  return {
    stream: {
      write(line) {
        if (closing === undefined) stream.write(line);
      },
    },
    close: () => {
      closing ??= new Promise((done) => {
        stream.once('close', done);
        stream.once('error', () => done());
        stream.end();
      });
      return closing;
    },
  };
}

const nothing = (): void => {};

/** Writes nowhere. */
export const silent: Logger = {
  writes: () => false,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  with: () => silent,
};
