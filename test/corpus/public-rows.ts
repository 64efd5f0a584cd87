/** Rows of the public corpora, which lie outside the repository. */
import fs from 'node:fs';
import path from 'node:path';
import type { ParseTool, ReplyInput } from '../../src/parse/reply.js';

export interface Call {
  readonly name: string;
  readonly arguments: unknown;
}

export interface Row {
  readonly text?: string;
  readonly message?: ReplyInput['message'];
  readonly api?: string;
  readonly finish_reason: string;
  readonly format: string;
  readonly lang: string;
  readonly corruptions: readonly string[];
  readonly tools: readonly { readonly function: ParseTool }[];
  readonly expected: {
    readonly outcome: string;
    readonly calls: readonly Call[];
    readonly reasoning?: string;
    readonly content?: { readonly includes: readonly string[]; readonly excludes: readonly string[] };
  };
}

export const isCallFile = (file: string): boolean => /^toolcalls-.*\.jsonl$/.test(file);

export const linesOf = <T>(folder: string, file: string): T[] =>
  fs
    .readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
