/** The report of the rule-based model, in Markdown. It shows numbers as the tools gave them and says how each was computed. */
import { type Fields, isFields } from '../../domain/fields.js';
import type { Profile } from './profile.js';
import type { Question } from './questions.js';
import type { Words } from './words.js';

export interface Finding {
  readonly question: Question;
  /** The result of `aggregate_table`; undefined when the question was not answered. */
  readonly result: Fields | undefined;
  /** Why not. */
  readonly reason: string;
}

export interface ReportOptions {
  readonly path: string;
  readonly profile: Profile;
  readonly findings: readonly Finding[];
  readonly words: Words;
  /** Whether a text is short enough to be sent. */
  readonly fits: (text: string) => boolean;
}

/** Groups of each question and columns that are shown, largest first; the first that fits is taken. */
const sizes = [
  { groups: 12, columns: 24 },
  { groups: 10, columns: 12 },
  { groups: 6, columns: 8 },
  { groups: 4, columns: 5 },
  { groups: 2, columns: 3 },
] as const;

export function reportText(options: ReportOptions): string {
  let text = '';
  for (const size of sizes) {
    text = write(options, size);
    if (options.fits(text)) break;
  }
  return text;
}

function write(options: ReportOptions, size: (typeof sizes)[number]): string {
  const { path, profile, findings, words } = options;
  const answered = findings.filter(({ result }) => result !== undefined);
  const open = findings.filter(({ result }) => result === undefined);
  const parts = [
    words.title(path.slice(path.lastIndexOf('/') + 1)),
    words.overview(profile.rows, profile.rejected, profile.columnCount),
    columnTable(profile, words, size.columns),
    ...answered.map((finding) => section(finding, words, size.groups)),
  ];
  if (open.length > 0) {
    parts.push(words.openTitle);
    parts.push(
      ...open.map(({ question, reason }) => `- ${words.open(words.questionTitle(question.aggregation), reason)}`),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function columnTable({ columns, columnCount }: Profile, words: Words, most: number): string {
  const rows = columns
    .slice(0, most)
    .map(({ name, type, missing, facts }) => [
      name,
      type,
      missing,
      ...['distinct', 'min', 'max', 'mean', 'sum'].map((key) => facts[key]),
    ]);
  const text = table(words.columnHeads, rows);
  return columnCount > rows.length ? `${text}\n\n${words.moreColumns(columnCount - rows.length)}` : text;
}

function section({ question, result = {} }: Finding, words: Words, most: number): string {
  const { aggregation } = question;
  const groups = groupsOf(result);
  const shown = groups.slice(0, most);
  const keys = Object.keys(groups[0]?.key ?? {});
  const metrics = Object.keys(groups[0]?.values ?? {});
  const rows = shown.map(({ key, values }) => [
    ...keys.map((name) => key[name]),
    ...metrics.map((name) => values[name]),
  ]);
  const lines = [`## ${words.questionTitle(aggregation)}`];
  const [leader] = groups;
  const [metric] = metrics;
  if (leader !== undefined && metric !== undefined && keys.length > 0 && isRanked(question)) {
    lines.push(words.first(keys.map((name) => cell(leader.key[name])).join(', '), metric, cell(leader.values[metric])));
  }
  lines.push(table([...keys, ...metrics], rows));
  const total = result.groups_total ?? groups.length;
  const notes = [words.rowsUsed(Number(result.rows_used ?? 0), Number(result.rows_skipped ?? 0))];
  if (shown.length !== total) notes.push(words.moreGroups(shown.length, String(total)));
  lines.push(notes.join(' '), `${words.computed}: \`aggregate_table ${JSON.stringify(aggregation)}\``);
  return lines.join('\n\n');
}

/** Sorted by a metric, so that the first group means something. */
const isRanked = ({ aggregation: { order_by: order, group_by: groups } }: Question): boolean =>
  order === undefined || !groups.includes(order);

interface Group {
  readonly key: Fields;
  readonly values: Fields;
}

export const groupsOf = (result: Fields): Group[] =>
  Array.isArray(result.groups)
    ? result.groups.flatMap((group) =>
        isFields(group) && isFields(group.values)
          ? [{ key: isFields(group.key) ? group.key : {}, values: group.values }]
          : [],
      )
    : [];

const table = (heads: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [heads.map(cell), heads.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** Numbers as they came; text so that it stays in its cell. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}
