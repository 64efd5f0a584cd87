/** Histories as the checker reads them: JSON lines, of which it knows nothing but these fields. It imports nothing of the product. */

export interface Line {
  readonly at: number;
  readonly kind: string;
  readonly [field: string]: unknown;
}

export interface Read {
  readonly lines: readonly Line[];
  /** Lines of a kind, in order. */
  of(kind: string): readonly Line[];
}

/** Throws on a line that is no JSON object with `at` and `kind`. */
export function readHistory(text: string): Read {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index): Line => {
      const value = JSON.parse(line) as Line;
      if (typeof value.at !== 'number' || typeof value.kind !== 'string')
        throw new Error(`line ${index + 1}: expected at and kind, got ${line.slice(0, 80)}`);
      return value;
    });
  return asRead(lines);
}

export function asRead(lines: readonly Line[]): Read {
  const byKind = new Map<string, Line[]>();
  for (const line of lines) {
    const known = byKind.get(line.kind);
    if (known === undefined) byKind.set(line.kind, [line]);
    else known.push(line);
  }
  return { lines, of: (kind) => byKind.get(kind) ?? [] };
}

/** Lines by the text that `key` makes of them. */
export function grouped(lines: readonly Line[], key: (line: Line) => string): Map<string, Line[]> {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const name = key(line);
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [line]);
    else known.push(line);
  }
  return groups;
}

export const callOf = ({ agent, call }: Line): string => `${String(agent)} ${String(call)}`;

export interface Budget {
  readonly rounds: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly toolCalls: number;
  readonly children: number;
  readonly seconds: number;
}

/** What clients granted each accepted task, and when: by task id. A task whose budget was changed later is not in it. */
export function grants(history: Read): Map<string, { budget: Budget; approval: string; sentAt: number }> {
  const sent = grouped(history.of('client.sent'), ({ key }) => String(key));
  const changed = new Set(
    history
      .of('client.steering')
      .filter(({ what }) => what === 'more' || what === 'less')
      .map(({ task }) => task),
  );
  const known = new Map<string, { budget: Budget; approval: string; sentAt: number }>();
  for (const { key, task } of history.of('client.accepted')) {
    const first = sent.get(String(key))?.[0];
    if (first === undefined || changed.has(task)) continue;
    known.set(String(task), {
      budget: first.budget as Budget,
      approval: String(first.approval),
      sentAt: first.at,
    });
  }
  return known;
}

export const rootOf = (agent: unknown): string => String(agent).replace(/(-\d+)+$/, '');
