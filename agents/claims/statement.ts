/** A report as the statements that it makes, whatever its form: sentences, rows of tables, entries of data. */
import type { Json } from '../../src/domain/json.js';
import { sentencesOf, withoutCode, withoutQuotes } from './clause.js';
import { wordsOfName } from './passage.js';
import { admits, asserts } from './polarity.js';

export interface Statement {
  readonly text: string;
  /** It owns up to something. */
  readonly admits: boolean;
  /** It says that something is so. */
  readonly asserts: boolean;
}

const mostStatements = 1_000;
/** A value that says no to its key. */
const negative =
  /^(?:no|none|not |n\/?a|nil|null|false|failed|failure|error|missing|open|pending|-|–|—|0|否|无|没|未|失败|缺)/i;

/** To say no to these is to say that all is well. */
const troubleKey =
  /^(?:errors?|fail(?:ed|ures?)?|warnings?|issues?|problems?|missing|pending|open|skipped|remaining|blockers?|错误|失败|问题|异常|遗留|警告|缺失|未完成|剩余)(?: (?:count|items?|数))?$/;

/** @param goal words of failure that it uses are no admission */
export function statementsOf(result: Json, summary: string, goal: string): Statement[] {
  const into: Into = Object.assign([] as Statement[], { goal: goal.toLowerCase() });
  walk(result, '', into);
  if (summary !== result) prose(summary, '', into);
  return into;
}

type Into = Statement[] & { readonly goal: string };

function walk(value: Json, key: string, into: Into): void {
  if (into.length >= mostStatements) return;
  if (typeof value === 'string') prose(value, key, into);
  else if (value === null || typeof value === 'boolean' || typeof value === 'number') {
    if (key !== '') entry(key, String(value), into);
  } else if (Array.isArray(value)) for (const item of value as readonly Json[]) walk(item, key, into);
  else for (const [name, item] of Object.entries(value)) walk(item as Json, wordsOfName(name), into);
}

function entry(key: string, value: string, into: Into): void {
  const text = `${key}: ${value}`;
  const no = troubleKey.test(key)
    ? !negative.test(value.trim())
    : negative.test(value.trim()) || admits(text, into.goal);
  into.push({ text, admits: no, asserts: !no && asserts(text, into.goal) });
}

function prose(text: string, key: string, into: Into): void {
  if (key !== '' && text.length < 200) {
    entry(key, text, into);
    return;
  }
  const parsed = /^\s*[[{]/.test(text) ? json(text) : undefined;
  if (parsed !== undefined) {
    walk(parsed, key, into);
    return;
  }
  for (const sentence of sentencesOf(withoutQuotes(withoutCode(text)))) {
    if (sentence === '' || into.length >= mostStatements) continue;
    // `Aldo | –`, `Slack: no`: the last cell says no to the row.
    const cells = sentence
      .split(/[|｜]|[:：]\s/)
      .map((cell) => cell.trim())
      .filter(Boolean);
    const no = admits(sentence, into.goal) || (cells.length > 1 && negative.test(cells.at(-1) ?? ''));
    into.push({ text: sentence, admits: no, asserts: !no && asserts(sentence, into.goal) });
  }
}

function json(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
