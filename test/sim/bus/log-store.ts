/** Append-only logs, one for each subject, in one stream with one count of sequences. Values are kept as JSON text. */
import type { Stored } from '../../../src/bus/contract.js';
import { fail, ok, type Result } from '../../../src/domain/failure.js';

/** As a server's default `max_payload`, less room for headers. */
export const mostBytes = 1_048_576 - 256;

interface Entry {
  readonly seq: number;
  readonly text: string;
}

export class LogStore {
  private readonly logs = new Map<string, Entry[]>();
  private last = 0;

  append(subject: string, text: string, after?: number): Result<number> {
    const log = this.logs.get(subject) ?? [];
    if (after !== undefined && (log.at(-1)?.seq ?? 0) !== after)
      return fail(
        'conflict',
        `${subject} was changed by somebody else (last ${log.at(-1)?.seq ?? 0}, expected ${after})`,
      );
    this.last += 1;
    log.push({ seq: this.last, text });
    this.logs.set(subject, log);
    return ok(this.last);
  }

  read<T>(subject: string, after: number): Stored<T>[] {
    const log = this.logs.get(subject) ?? [];
    return log.filter(({ seq }) => seq > after).map(({ seq, text }) => ({ seq, value: JSON.parse(text) as T }));
  }

  clear(subject: string): void {
    this.logs.delete(subject);
  }

  subjects(): Map<string, number> {
    return new Map([...this.logs].map(([subject, log]) => [subject, log.at(-1)?.seq ?? 0]));
  }
}

/** The JSON text of a value, or a refusal when no message can hold it. */
export function textOf(value: unknown, where: string): Result<string> {
  const text = JSON.stringify(value);
  const bytes = text.length * 3 > mostBytes ? Buffer.byteLength(text) : text.length;
  return bytes > mostBytes
    ? fail('too_large', `${where}: ${bytes} bytes, and the server takes ${mostBytes}`, 'store it as a blob')
    : ok(text);
}
