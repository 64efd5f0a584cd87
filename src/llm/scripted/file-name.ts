/** File names in a goal: what is to be analysed, and where a report is to go. */
import type { Seen } from './transcript.js';

const quoted = /["'`“「]([^"'`”」\n]+)["'`”」]/g;
const dataFile = /\.(?:csv|tsv|tab|jsonl|ndjson|log|txt)$/i;

/** The file to analyse: listed, else the first name in the goal or the context that ends like a table. */
export function dataFileIn({ goal, context, files }: Seen): string | undefined {
  const [listed] = files.filter((file) => dataFile.test(file));
  if (listed !== undefined) return listed;
  if (files[0] !== undefined && !files[0].endsWith('.md')) return files[0];
  return namesIn(`${goal}\n${context}`).find((name) => dataFile.test(name));
}

/** Where the report is to be written; undefined when none is asked for. */
export function reportFileIn({ goal, context }: Seen): string | undefined {
  const text = `${goal}\n${context}`;
  const names = namesIn(text);
  const file = names.find((name) => /\.md$/i.test(name));
  if (file === undefined) return undefined;
  if (file.includes('/')) return file;
  const at = text.indexOf(file);
  const after = /^[`"'”]?\s*(?:to|in|into|under|below|at|到|写到|写入|存到|放到|放在)\s*/.exec(
    text.slice(at + file.length),
  );
  const folder =
    after === null ? folderBefore(text.slice(0, at)) : namesIn(text.slice(at + file.length + after[0].length))[0];
  return folder?.startsWith('/') || folder?.startsWith('./') ? `${folder.replace(/\/+$/, '')}/${file}` : file;
}

/** `在 /abs/dir 写 report.md`, `in the folder /abs/dir as report.md`. */
function folderBefore(text: string): string | undefined {
  const last = namesIn(text.slice(-300)).at(-1);
  return last?.startsWith('/') && !dataFile.test(last) ? last : undefined;
}

/** Words that may be names of files, quoted ones whole; trailing punctuation is not part of them. */
function namesIn(text: string): string[] {
  const found: { at: number; name: string }[] = [];
  for (const match of text.matchAll(quoted)) found.push({ at: match.index, name: match[1] ?? '' });
  const rest = text.replace(quoted, (whole) => ' '.repeat(whole.length));
  for (const match of rest.matchAll(/[^\s,;，。；、！？（）()<>|]+/g)) {
    for (const { at, name } of glued(match[0])) found.push({ at: match.index + at, name });
  }
  return found.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

/** Chinese sets no blanks: `分析/data/a.csv并写入report.md` holds two names. */
function glued(word: string): { at: number; name: string }[] {
  const plain = word.replace(/[.:：!?]+$/, '');
  if (!/\p{Script=Han}/u.test(plain)) return plain.includes('.') || plain.includes('/') ? [{ at: 0, name: plain }] : [];
  const known = [...plain.matchAll(/[^/]*?(\/\S*?|[\w.-]*)\.(?:csv|tsv|tab|jsonl|ndjson|log|txt|md)(?![A-Za-z0-9])/gi)];
  if (known.length === 0) {
    const slash = plain.indexOf('/');
    return slash < 0 ? [] : [{ at: slash, name: plain.slice(slash) }];
  }
  return known.map((match) => {
    const whole = match[0];
    const slash = whole.indexOf('/');
    const latin = /[\w.-]+$/.exec(whole);
    const from = slash >= 0 ? slash : latin !== null && latin[0].indexOf('.') > 0 ? latin.index : 0;
    return { at: match.index + from, name: whole.slice(from) };
  });
}
