/** Hostile text of 1 MB, and how time grows with size. */
import { type ParseTool, parseReply } from '../../src/parse/reply.js';
import { createReplyStream } from '../../src/parse/stream.js';
import { hostileShapes, hostileText } from '../corpus/hostile.js';

const mega = 1_000_000;
const mostMs = 250;
const mostGrowth = 4.4;
/** Below this a growth says more about the clock and the collector than about the text. */
const leastMs = 20;
const mostRounds = 20;

export const tools: ParseTool[] = [
  {
    name: 'get_weather',
    description: 'weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

/** Least processor time of several runs, in ms, with what the collector's threads used: other processes do not count. */
export function leastTime(run: () => void, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** With what is made only when somebody looks. */
const whole = (text: string) => (): void => {
  const reply = parseReply({ text, tools, finishReason: 'stop' });
  void reply.state;
  void reply.reasoningTree;
};

const streamed = (text: string) => (): void => {
  const stream = createReplyStream({ tools });
  for (let at = 0; at < text.length; at += 4) stream.push(text.slice(at, at + 4));
  stream.end('stop');
};

/** Each shape once, after a short warm-up; the first run counts, as it would for an attacked process. */
export function hostileTable(): boolean {
  const times = hostileShapes.map((shape) => {
    whole(hostileText(shape, 20_000))();
    const ms = leastTime(whole(hostileText(shape, mega)), 1);
    return { shape, ms };
  });
  times.sort((a, b) => b.ms - a.ms);
  const slow = times.filter(({ ms }) => ms > mostMs);
  console.log(`\nhostile text of 1 MB: ${times.length} shapes, ${slow.length} over ${mostMs} ms; the slowest:`);
  for (const { shape, ms } of times.slice(0, Math.max(8, slow.length)))
    console.log(`  ${shape.padEnd(32)} ${ms.toFixed(0).padStart(6)} ms`);
  return slow.length === 0;
}

/**
 * Four runs over the small text against one over the large, side by side: as many bytes on both sides, so that the
 * collector and the compiler have as much to do. Other work on the machine disturbs single rounds: what misses the
 * bar is measured again, up to `mostRounds`, and the median of its rounds counts.
 */
function growthOf(small: () => void, large: () => void): number {
  const four = (): void => {
    for (let i = 0; i < 4; i++) small();
  };
  const growths: number[] = [];
  const median = (): number => growths.sort((a, b) => a - b)[growths.length >> 1] ?? Number.POSITIVE_INFINITY;
  while (growths.length < mostRounds && median() > mostGrowth) {
    const base = leastTime(four, 1) / 4;
    growths.push(leastTime(large, 1) / Math.max(leastMs, base));
  }
  return median();
}

export function scalingTable(): boolean {
  console.log(`\n4 times the text (1 MB to 4 MB), whole and in 4-character pieces; over ${mostGrowth} times the time:`);
  const growths = hostileShapes.flatMap((shape) =>
    [['whole', whole] as const, ['streamed', streamed] as const].map(([how, run]) => {
      const growth = growthOf(run(hostileText(shape, mega)), run(hostileText(shape, 4 * mega)));
      if (growth > mostGrowth) console.log(`  ${shape} ${how}: ${growth.toFixed(2)}`);
      return growth;
    }),
  );
  const over = growths.filter((growth) => growth > mostGrowth).length;
  console.log(`  ${over} of ${growths.length}; the largest growth ${Math.max(...growths).toFixed(2)}`);
  return over === 0;
}
