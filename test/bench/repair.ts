/** What repair by rule takes, and how many invented wrappers are understood after five samples. Prints two tables. */
import { extendMarkers } from '../../src/parse/extend.js';
import { proposeMarkers } from '../../src/parse/learn/propose.js';
import { rewriteRegressions } from '../../src/parse/learn/regression.js';
import { newRule } from '../../src/parse/learn/rule.js';
import { newSample } from '../../src/parse/learn/sample.js';
import { MARKERS, type MarkerTable } from '../../src/parse/markers.js';
import { applyFindings, contradictions, readGoal } from '../../src/parse/meaning/meaning.js';
import { parseReply } from '../../src/parse/reply.js';
import { learnerOn, memoryStore, mended, packaged, toolOf } from '../parse/learn/support.js';
import { shapes, type WrapperSample, wrapperOf, wrapperTools } from '../parse/learn/wrappers.js';
import { meaningCases, today, tools } from '../parse/meaning/cases.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** In processor time: other programs on the machine do not count. */
function timed(name: string, runs: readonly (() => unknown)[]): void {
  for (let warm = 0; warm < 30; warm += 1) for (const run of runs) run();
  const times = runs.flatMap((run) =>
    Array.from({ length: Math.ceil(4_000 / runs.length) }, () => {
      const from = process.cpuUsage();
      run();
      const { system, user } = process.cpuUsage(from);
      return (system + user) / 1_000;
    }),
  );
  times.sort((x, y) => x - y);
  const at = (share: number): string => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(3)} ms`;
  print(`| ${name} | ${at(0.5)} | ${at(0.99)} |`);
}

print('| repair by rule | median | 99 of 100 below |\n|---|---|---|');
timed(
  'meaning: goal read, contradictions found and applied',
  meaningCases.map(({ goal, tool, given }) => () => {
    const read = readGoal(goal, today);
    return applyFindings(given, tools[tool], contradictions(given, tools[tool], read));
  }),
);
const ticket = toolOf('open_ticket', { priority: { type: 'string', enum: ['low', 'high'] } }, ['priority']);
const rules = Array.from({ length: 200 }, (_, i) =>
  newRule({ on: 'value', tool: 'open_ticket', parameter: 'priority', from: `word ${i}`, to: 'high' }, 'human', 1),
);
const learner = learnerOn(memoryStore());
const call = '<tool_call>{"name": "open_ticket", "arguments": {"priority": "word 7"}}</tool_call>';
timed('a reply of one call, read and repaired by one of 200 learned rules', [
  () => mended(call, [ticket], learner, 'stop', { rules, goal: readGoal('Do it', today) }),
]);

const same = (a: object, b: object): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
function isRight({ text, call: wanted }: WrapperSample, markers: MarkerTable): boolean {
  const { calls, rejected } = parseReply({ text, finishReason: 'stop', tools: wrapperTools, markers });
  const [only] = calls;
  return (
    calls.length === 1 && rejected.length === 0 && only?.name === wanted.name && same(only.arguments, wanted.arguments)
  );
}

print(
  '\n| shape | wrappers | read already | proposed of the rest | right on 10 fresh replies | rows read differently |',
);
print('|---|---|---|---|---|---|');
for (const shape of shapes) {
  const tally = { read: 0, proposed: 0, right: 0, regressions: 0 };
  for (let seed = 1; seed <= 60; seed += 1) {
    const wrapper = wrapperOf(shape, seed);
    const five = [0, 1, 2, 3, 4].map((n) => wrapper.sample(n));
    if (five.every((sample) => isRight(sample, MARKERS))) {
      tally.read += 1;
      continue;
    }
    const samples = five.flatMap(({ text, call: { name } }) => {
      const tool = wrapperTools.find((candidate) => candidate.name === name);
      return (tool && newSample(text, tool, 1)) ?? [];
    });
    const proposal = proposeMarkers(samples, MARKERS);
    const extended = extendMarkers(MARKERS, proposal?.addition ?? {});
    if (proposal === undefined || !extended.ok) continue;
    tally.proposed += 1;
    tally.regressions += rewriteRegressions(proposal.addition.rewrites, packaged()).length;
    if (Array.from({ length: 10 }, (_, n) => n + 10).every((n) => isRight(wrapper.sample(n), extended.table)))
      tally.right += 1;
  }
  print(
    `| ${shape} | 60 | ${tally.read} | ${tally.proposed} of ${60 - tally.read} | ${tally.right} | ${tally.regressions} |`,
  );
}
