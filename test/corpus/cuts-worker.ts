/** Thread of `npm run corpus`: cuts its share of the rows and says how many readings stayed the same. */
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { parseReply } from '../../src/parse/reply.js';
import { type CutCase, randomCuts, twoCuts } from './cuts.js';
import { corpusFiles, rowsOf, toolSets } from './load.js';
import { isCallFile, linesOf, type Row } from './public-rows.js';
import { Chance } from './random.js';
import type { Share } from './share.js';

export interface CutOrder {
  /** Folder of the public corpora. */
  readonly from: string;
  /** Random ways to cut each row. */
  readonly cuts: number;
  /** Also every way to cut a short row in two. */
  readonly full: boolean;
  /** Each `every`-th row. */
  readonly every: number;
}

export interface CutAnswer {
  readonly counts: readonly (readonly [what: string, right: number, all: number])[];
  /** Rows that came out differently. */
  readonly different: readonly string[];
}

type Case = Omit<CutCase, 'whole'> & { readonly id: string };

function cases({ from, every }: CutOrder): Case[] {
  const own = corpusFiles
    .flatMap(rowsOf)
    .map((row) => ({ id: row.id, text: row.text, finishReason: row.finish, tools: toolSets[row.tools] ?? [] }));
  const files = fs.readdirSync(from).filter(isCallFile).sort();
  const given = files.flatMap((file) =>
    linesOf<Row>(from, file).flatMap((row, i): Case[] => {
      const tools = row.tools.map((tool) => tool.function);
      return row.text === undefined
        ? []
        : [{ id: `${file}:${i + 1}`, text: row.text, finishReason: row.finish_reason, tools }];
    }),
  );
  return [...own, ...given].filter((_, i) => i % every === 0);
}

function cut(order: CutOrder & Share): CutAnswer {
  const sums = { random: [0, 0], two: [0, 0] } as Record<'random' | 'two', [number, number]>;
  const different: string[] = [];
  for (const [i, given] of cases(order).entries()) {
    if (i % order.parts !== order.part) continue;
    const whole = { ...given, whole: parseReply(given) };
    const random = randomCuts(whole, order.cuts, new Chance(20_260_101 + i));
    const two = order.full ? twoCuts(whole) : ([0, 0] as const);
    for (const [sum, [right, all]] of [[sums.random, random] as const, [sums.two, two] as const]) {
      sum[0] += right;
      sum[1] += all;
    }
    if (random[0] + two[0] < random[1] + two[1]) different.push(given.id);
  }
  return { counts: [['at random', ...sums.random] as const, ['every two-cut', ...sums.two] as const], different };
}

parentPort?.postMessage(cut(workerData as CutOrder & Share));
