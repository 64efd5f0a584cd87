/**
 * `npm run chaos -- [--schedules N] [--seed S] [--fault-ms MS] [--tasks N] [--shrink]`: real processes on a real server, disturbed by
 * seeded schedules. Ends with 0 only when no schedule broke a rule. A failing one is printed, with `--shrink` as small as it gets.
 */
import { parseArgs } from 'node:util';
import { check } from './checker.js';
import { type House, openHouse } from './house.js';
import { playSchedule, type Tally } from './play.js';
import { type Schedule, scheduleOf, smaller } from './schedule.js';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    'fault-ms': { type: 'string', default: '4000' },
    tasks: { type: 'string', default: '6' },
    shrink: { type: 'boolean', default: false },
  },
});

const tally: Tally = { kills: 0, freezes: 0, cuts: 0 };
const first = Number(values.seed);
const last = first + Number(values.schedules) - 1;
const shape = { faultMs: Number(values['fault-ms']), tasks: Number(values.tasks) };
let [tasks, failed] = [0, 0];

async function shrunk(schedule: Schedule, house: House): Promise<Schedule> {
  for (const candidate of smaller(schedule)) {
    // Keys of a schedule that was played are taken.
    const again = renamed(candidate);
    if (check(await playSchedule(again, house, tally)).length > 0) return shrunk(again, house);
  }
  return schedule;
}

let renames = 0;
function renamed(schedule: Schedule): Schedule {
  renames += 1;
  return { ...schedule, tasks: schedule.tasks.map((task) => ({ ...task, key: `${task.key}r${renames}` })) };
}

const house = await openHouse(first);
try {
  for (let seed = first; seed <= last; seed += 1) {
    const schedule = scheduleOf(seed, shape);
    const beganAt = Date.now();
    const history = await playSchedule(schedule, house, tally);
    const problems = check(history);
    tasks += schedule.tasks.length;
    const faults = schedule.faults.map(({ kind }) => kind).join(', ') || 'no faults';
    const seconds = ((Date.now() - beganAt) / 1_000).toFixed(1);
    console.log(`${problems.length === 0 ? 'holds' : 'FAILS'} seed ${seed}: ${faults}; ${seconds} s`);
    for (const problem of problems) console.log(`   ${problem}`);
    if (problems.length === 0) continue;
    failed += 1;
    const smallest = values.shrink ? await shrunk(schedule, house) : schedule;
    console.log(`   schedule: ${JSON.stringify(smallest)}`);
  }
} finally {
  await house.close();
}
console.log(
  `${last - first + 1 - failed} held, ${failed} failed; ${tasks} tasks, ${tally.kills} kills, ${tally.freezes} freezes, ${tally.cuts} cuts`,
);
process.exit(failed === 0 ? 0 : 1);
