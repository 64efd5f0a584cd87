/** How often everything happened, over any number of runs. */
import { readFile, writeFile } from 'node:fs/promises';
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

  /** Writes a file that `sum` reads. */
  async record(path: string): Promise<void> {
    const { broken, counts, failed, held } = this;
    const kept: Recorded = { held, failed, counts: Object.fromEntries(counts), broken: Object.fromEntries(broken) };
    await writeFile(path, JSON.stringify(kept));
  }

  static async sum(paths: readonly string[]): Promise<Tally> {
    const sum = new Tally();
    for (const path of paths) {
      const one = JSON.parse(await readFile(path, 'utf8')) as Recorded;
      sum.held += one.held;
      sum.failed += one.failed;
      add(sum.counts, one.counts);
      add(sum.broken as Map<string, number>, one.broken);
    }
    return sum;
  }
}

interface Recorded {
  readonly held: number;
  readonly failed: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly broken: Readonly<Record<string, number>>;
}

function add(to: Map<string, number>, from: Readonly<Record<string, number>>): void {
  for (const [what, by] of Object.entries(from)) to.set(what, (to.get(what) ?? 0) + by);
}
