/** What a streamed reply costs at its end, where the whole is read once more, and what it holds while it arrives. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createReplyStream, type ReplyStream } from '../../src/parse/stream.js';
import { leastTime, tools } from './parse-hostile.js';

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Ghent"}}\n</tool_call>';
const sentence = 'Anything above 12 mm is reported by the station as "heavy"; the rest counts as light.\n';
const mostTimes = 4;

const replyOf = (bytes: number): string => `${sentence.repeat(Math.ceil(bytes / sentence.length))}${call}`;

function pushed(text: string, size: number): ReplyStream {
  const stream = createReplyStream({ tools });
  for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
  return stream;
}

function endTable(): void {
  console.log('\nend of a streamed reply (pieces of 4 characters): the last piece, and the reading of the whole');
  for (const kilobytes of [4, 64, 1024, 10_240]) {
    const text = replyOf(kilobytes * 1024);
    const runs = kilobytes > 1024 ? 3 : 20;
    const ms = Array.from({ length: runs }, () => {
      const stream = pushed(text, 4);
      return { last: leastTime(() => stream.push('.'), 1), end: leastTime(() => stream.end('stop'), 1) };
    });
    const least = (of: (run: (typeof ms)[number]) => number): string => Math.min(...ms.map(of)).toFixed(2);
    console.log(
      `  ${`${kilobytes} KB`.padEnd(10)} last piece ${least((r) => r.last)} ms   end ${least((r) => r.end)} ms`,
    );
  }
}

/** Bytes of the heap that are in use. */
function heap(collect: () => void): number {
  collect();
  return process.memoryUsage().heapUsed;
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Functions of their own, so that no frame holds the source text or the last reply while the heap is measured. */
const arrived = (chars: number, size: number): ReplyStream => pushed(replyOf(chars), size);

function memoryOf(chars: number, size: number, collect: () => void): { held: number; after: number; calls: number } {
  const before = heap(collect);
  const stream = arrived(chars, size);
  const held = (heap(collect) - before) / chars;
  const reply = stream.end('stop');
  const after = (heap(collect) - before) / chars;
  return { held, after, calls: reply.calls.length };
}

function memoryTable(): boolean {
  let met = true;
  const collect = collector();
  memoryOf(1e5, 1, collect);
  console.log(`\nmemory in times of the reply's size (bar ${mostTimes})`);
  for (const [what, chars, size] of [
    ['1 MB in 1,000,000 pieces', 1e6, 1],
    ['10 MB in 1,000,000 pieces', 1e7, 10],
    ['10 MB in 10,000,000 pieces', 1e7, 1],
    ['10 MB in one piece', 1e7, 1e7],
  ] as const) {
    const { held, after, calls } = memoryOf(chars, size, collect);
    console.log(`  ${what.padEnd(28)} before the end ${held.toFixed(2)}   with the reply ${after.toFixed(2)}`);
    met &&= calls === 1 && held < mostTimes && after < mostTimes;
  }
  return met;
}

export function streamTable(): boolean {
  endTable();
  return memoryTable();
}
