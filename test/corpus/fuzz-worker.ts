/** Thread of `npm run fuzz`: its share of the random replies. */
import { parentPort, workerData } from 'node:worker_threads';
import { fuzz } from './fuzz.js';
import { allTools } from './load.js';
import type { Share } from './share.js';

export interface FuzzOrder {
  readonly seed: number;
  readonly count: number;
  /** What mutations start from. */
  readonly texts: readonly string[];
}

const { seed, count, texts, part, parts } = workerData as FuzzOrder & Share;
const first = Math.floor((count * part) / parts);
const next = Math.floor((count * (part + 1)) / parts);
parentPort?.postMessage(fuzz(seed + first, next - first, texts, allTools));
