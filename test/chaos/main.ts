/**
 * `npm run chaos -- [--schedules N] [--seed S] [--fault-ms MS] [--tasks N] [--shrink] [--archive FOLDER] [--record FILE]`: real
 * processes on a real server, disturbed by seeded schedules. Ends with 0 only when no schedule broke a rule and, in a long run, every
 * fault was seen. A failing one is printed, with `--shrink` as small as it gets. Several `--sum FILE` add up what
 * runs recorded.
 */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { canMount, runOnSmallDisk } from '../support/small-disk.js';
import { archive } from './archive.js';
import { check, type Problem } from './checker.js';
import type { History } from './history.js';
import { type House, openHouse } from './house.js';
import { playSchedules } from './play.js';
import { type Schedule, scheduleOf, smaller } from './schedule.js';
import { Tally } from './tally.js';

const args = process.argv.slice(2);
const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    schedules: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    'fault-ms': { type: 'string', default: '4000' },
    tasks: { type: 'string', default: '6' },
    shrink: { type: 'boolean', default: false },
    archive: { type: 'string' },
    record: { type: 'string' },
    sum: { type: 'string', multiple: true },
    /** The server's store lies on an ordinary disk, which is never full. */
    'no-disk': { type: 'boolean', default: false },
  },
});
/** So many schedules follow each other at once; then there is a quiet time, in which they are judged. */
const groupSize = 10;
/** From so many schedules on, every fault must have been seen. */
const longRun = 50;
const diskMegabytes = 96;

class Run {
  readonly #tally = new Tally();
  /** Each breach is told once: the ledger is of all schedules. */
  readonly #known = new Set<string>();
  #renames = 0;
  #lastLetter = 0;

  async play(first: number, last: number, disk: string | undefined): Promise<number> {
    const shape = { faultMs: Number(values['fault-ms']), tasks: Number(values.tasks) };
    const house = await openHouse(first, this.#tally, disk);
    const schedules = Array.from({ length: last - first + 1 }, (_, index) => scheduleOf(first + index, shape));
    try {
      for (let next = 0; next < schedules.length; next += groupSize)
        await this.#playGroup(schedules.slice(next, next + groupSize), house);
    } finally {
      await house.close();
    }
    return tell(this.#tally);
  }

  async #playGroup(schedules: readonly Schedule[], house: House): Promise<void> {
    const beganAt = performance.now();
    const history = await playSchedules(schedules, house);
    const problems = this.#fresh(history);
    this.#count(history);
    if (problems.length > 0 && values.archive !== undefined)
      await archive(values.archive, { schedules, history, problems, house });
    for (const schedule of schedules) await this.#judge(schedule, history, problems, house);
    const letters = await house.runtime.bus.dead.list(this.#lastLetter);
    const found = letters.ok ? letters.value : [];
    this.#lastLetter = found.at(-1)?.seq ?? this.#lastLetter;
    if (found.length > 0) this.#tally.count('dead letters', found.length);
    if (values.record !== undefined) await this.#tally.record(values.record);
    console.log(`   ${schedules.length} schedules in ${((performance.now() - beganAt) / 1_000).toFixed(1)} s`);
  }

  async #judge(schedule: Schedule, history: History, all: readonly Problem[], house: House): Promise<void> {
    const problems = all.filter(({ words }) => isOf(schedule, history, words));
    const faults = schedule.faults.map(({ kind }) => kind).join(', ') || 'no faults';
    console.log(`${problems.length === 0 ? 'holds' : 'FAILS'} seed ${schedule.seed}: ${faults}`);
    this.#tally[problems.length === 0 ? 'held' : 'failed'] += 1;
    for (const { broken, words } of problems) {
      this.#tally.break(broken);
      console.log(`   ${broken}: ${words}`);
    }
    if (problems.length === 0) return;
    const smallest = values.shrink ? await this.#shrunk(schedule, house) : schedule;
    console.log(`   schedule: ${JSON.stringify(smallest)}`);
  }

  #fresh(history: History): Problem[] {
    const fresh = check(history).filter(({ words }) => !this.#known.has(words));
    for (const { words } of fresh) this.#known.add(words);
    return fresh;
  }

  #count({ tasks }: History): void {
    this.#tally.count('tasks', tasks.length);
    for (const { results } of tasks)
      for (const status of ['done', 'cancelled'] as const)
        if (results[0]?.includes(`"status":"${status}"`)) this.#tally.count(`tasks ${status}`);
  }

  async #shrunk(schedule: Schedule, house: House): Promise<Schedule> {
    for (const candidate of smaller(schedule)) {
      const again = this.#renamed(candidate);
      if (this.#fresh(await playSchedules([again], house)).length > 0) return this.#shrunk(again, house);
    }
    return schedule;
  }

  /** Keys of a schedule that was played are taken. */
  #renamed(schedule: Schedule): Schedule {
    this.#renames += 1;
    return { ...schedule, tasks: schedule.tasks.map((task) => ({ ...task, key: `${task.key}r${this.#renames}` })) };
  }
}

/** Whether the words name a task of the schedule, by its key or id; what names none of the group is of all of it. */
function isOf({ tasks }: Schedule, history: History, words: string): boolean {
  const names = (key: string): boolean => {
    const ids = history.tasks.find((task) => task.key === key)?.ids ?? [];
    return [key, ...ids].some((name) => new RegExp(`${name}(?![0-9A-Za-z])`).test(words));
  };
  return tasks.some(({ key }) => names(key)) || !history.tasks.some(({ key }) => names(key));
}

function tell(tally: Tally): number {
  const missing = tally.missing();
  const isLong = tally.held + tally.failed >= longRun;
  if (missing.length > 0) console.log(`never seen: ${missing.join(', ')}`);
  console.log(tally.text());
  return tally.failed === 0 && !(isLong && missing.length > 0) ? 0 : 1;
}

async function main(): Promise<number> {
  if (values.sum !== undefined) return tell(await Tally.sum(values.sum));
  const [disk] = positionals;
  if (disk === undefined && !values['no-disk']) {
    if (canMount()) return runOnSmallDisk(fileURLToPath(import.meta.url), args, diskMegabytes);
    console.log('nothing can be mounted here: storage is short by limits of streams only');
  }
  const first = Number(values.seed);
  return new Run().play(first, first + Number(values.schedules) - 1, disk);
}

process.exit(await main());
