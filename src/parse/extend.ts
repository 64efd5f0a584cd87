/** Adding to the marker table at run time or from a user's file. Data that is wrong is refused as a whole, in words. */
import { z } from 'zod';
import type { MarkerTable } from './markers.js';

const role = z.enum([
  'call',
  'call-end',
  'separator',
  'reasoning',
  'reasoning-end',
  'output',
  'output-end',
  'answer',
  'answer-end',
  'channel',
  'message',
  'turn-end',
  'turn',
  'litter',
]);
const word = z.string().min(1).max(48);
const words = z.array(word).max(200);

/** What a file of additional markers may hold: any part of the table. */
export const markerFileSchema = z.strictObject({
  tokens: z.record(word.regex(/^[<[\]◁]/, 'expected a token that begins with <, [ or ◁'), role).optional(),
  words: z.record(word, role).optional(),
  tags: z.record(word, z.enum(['call', 'reasoning', 'output', 'answer', 'listing'])).optional(),
  rewrites: z
    .array(
      z.strictObject({
        from: word,
        to: z.string().max(48),
        within: z.tuple([word, word]).optional(),
        word: z.boolean().optional(),
        last: z.boolean().optional(),
      }),
    )
    .max(50)
    .optional(),
  callTags: words.optional(),
  parameterTags: words.optional(),
  keyTags: words.optional(),
  valueTags: words.optional(),
  headerWords: words.optional(),
  listWords: words.optional(),
  fences: words.optional(),
  labels: z.record(word, z.enum(['thought', 'action', 'input', 'observation', 'final'])).optional(),
  answerAfter: words.optional(),
});

export type Extension =
  | { readonly ok: true; readonly table: MarkerTable }
  | { readonly ok: false; readonly problem: string };

/** The table with the additions; entries of the file win over built-in ones. */
export function extendMarkers(table: MarkerTable, addition: unknown): Extension {
  const checked = markerFileSchema.safeParse(addition, { reportInput: true });
  if (!checked.success) return { ok: false, problem: checked.error.issues.map((issue) => inWords(issue)).join('; ') };
  const more = checked.data;
  const joined = (key: ListKey): readonly string[] => [...new Set([...(more[key] ?? []), ...table[key]])];
  return {
    ok: true,
    table: {
      ...table,
      tokens: { ...table.tokens, ...more.tokens },
      words: { ...table.words, ...more.words },
      tags: { ...table.tags, ...more.tags },
      labels: { ...table.labels, ...more.labels },
      rewrites: [...(more.rewrites ?? []), ...table.rewrites],
      callTags: joined('callTags'),
      parameterTags: joined('parameterTags'),
      keyTags: joined('keyTags'),
      valueTags: joined('valueTags'),
      headerWords: joined('headerWords'),
      listWords: joined('listWords'),
      fences: joined('fences'),
      answerAfter: joined('answerAfter'),
    },
  };
}

/** What was expected, and what was met where. */
function inWords(issue: z.core.$ZodIssue): string {
  const where =
    issue.path.map((step) => (typeof step === 'string' ? step : `[${String(step)}]`)).join(' → ') || 'the file';
  const met = issue.input === undefined ? '' : `, met ${JSON.stringify(issue.input)?.slice(0, 60) ?? 'nothing'}`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${where}: expected only ${Object.keys(markerFileSchema.shape).join(', ')}, met ${issue.keys.join(', ')}`;
    case 'invalid_value':
      return `${where}: expected one of ${issue.values.join(', ')}${met}`;
    case 'invalid_type':
      return `${where}: expected ${issue.expected === 'record' ? 'names with their roles' : issue.expected}${met}`;
    case 'invalid_key':
      return `${where}: ${issue.issues.map(({ message }) => message).join(', ')}`;
    default:
      return `${where}: ${issue.message}${met}`;
  }
}

type ListKey =
  | 'callTags'
  | 'parameterTags'
  | 'keyTags'
  | 'valueTags'
  | 'headerWords'
  | 'listWords'
  | 'fences'
  | 'answerAfter';
