/** How often everything happened, over any number of runs. */
import { appendFile, readFile } from 'node:fs/promises';
import { type Rule, rules } from './checker.js';
import { faultKinds } from './schedule.js';

/** What is counted beside the faults themselves. */
const happenings = [
  'kills',
  'freezes',
  'processes taken by a poisonous task',
  'tasks',
  'tasks done',
  'tasks cancelled',
  'pauses',
  'calls allowed',
  'calls denied',
  'dead letters',
] as const;

export class Tally {
  held = 0;
  failed = 0;
  readonly counts = new Map<string, number>();
  readonly broken = new Map<Rule, number>();

  count(what: (typeof faultKinds)[number] | (typeof happenings)[number], by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  break(rule: Rule): void {
    this.broken.set(rule, (this.broken.get(rule) ?? 0) + 1);
  }

  /** What never happened. */
  missing(): string[] {
    return [...faultKinds, ...happenings].filter((what) => !this.counts.has(what));
  }

  text(): string {
    const of = (names: readonly string[], counts: ReadonlyMap<string, number>): string =>
      names.map((name) => `${name} ${counts.get(name) ?? 0}`).join(', ');
    return [
      of(happenings, this.counts),
      of(faultKinds, this.counts),
      of(rules, this.broken),
      `${this.held} held, ${this.failed} failed`,
    ].join('\n');
  }

  /** Adds a line to a file that `sum` reads. */
  async record(path: string, seeds: string): Promise<void> {
    const { broken, counts, failed, held } = this;
    const line = { seeds, held, failed, counts: Object.fromEntries(counts), broken: Object.fromEntries(broken) };
    await appendFile(path, `${JSON.stringify(line)}\n`);
  }

  static async sum(path: string): Promise<Tally> {
    const sum = new Tally();
    for (const text of (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')) {
      const line = JSON.parse(text) as { held: number; failed: number; counts: object; broken: object };
      sum.held += line.held;
      sum.failed += line.failed;
      for (const [to, from] of [
        [sum.counts, line.counts],
        [sum.broken, line.broken],
      ] as [Map<string, number>, Record<string, number>][])
        for (const [what, by] of Object.entries(from)) to.set(what, (to.get(what) ?? 0) + by);
    }
    return sum;
  }
}
