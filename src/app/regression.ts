/** Replies with their right answers that come with the package: nothing is learned that would change how they are read. */
import { readFileSync } from 'node:fs';
import type { RegressionRow } from '../parse/learn/regression.js';

/** Reads the file when it is first needed. */
export function regressionRows(): () => readonly RegressionRow[] {
  let rows: readonly RegressionRow[] | undefined;
  return () => {
    rows ??= readRows();
    return rows;
  };
}

/** A line holds a row; the first line holds the tool sets that the rows name. */
function readRows(): RegressionRow[] {
  const [first = '{}', ...lines] = readFileSync(new URL('./regression.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const sets = JSON.parse(first) as Record<string, RegressionRow['tools']>;
  return lines.map((line) => {
    const row = JSON.parse(line) as RegressionRow & { readonly set: string };
    return { ...row, tools: sets[row.set] ?? [] };
  });
}
