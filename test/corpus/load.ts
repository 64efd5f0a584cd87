/** The own corpus: rows of text with the right answer, as data. A new case needs no code. */
import { readFileSync } from 'node:fs';
import type { ParseTool } from '../../src/parse/reply.js';

export interface CorpusRow {
  readonly id: string;
  /** Format or family of faults. */
  readonly group: string;
  readonly lang: 'en' | 'zh';
  /** Name of a tool set in `tools.json`. */
  readonly tools: string;
  readonly text: string;
  readonly finish: string;
  readonly expect: 'calls' | 'none' | 'incomplete';
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly superseded?: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly content?: { readonly includes: readonly string[]; readonly excludes: readonly string[] };
}

/** From the package's root, where npm and vitest run, since compiled programs lie elsewhere than the data. */
const file = (name: string): string => readFileSync(`test/corpus/${name}`, 'utf8');

export const toolSets = JSON.parse(file('tools.json')) as Readonly<Record<string, ParseTool[]>>;

/** Every tool of every set, once. */
export const allTools: readonly ParseTool[] = [
  ...new Map(Object.values(toolSets).flatMap((set) => set.map((tool) => [tool.name, tool] as const))).values(),
];

export const corpusFiles = ['formats', 'faults', 'words', 'said', 'engines'] as const;

export const rowsOf = (name: (typeof corpusFiles)[number]): CorpusRow[] =>
  file(`${name}.jsonl`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CorpusRow);
