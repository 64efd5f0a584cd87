/** The text of a reply that could hold a call: without reasoning, comments and made-up tool output. */
import type { MarkerTable } from '../markers.js';
import { readNative } from '../native.js';
import type { Reply, ReplyInput } from '../reply.js';
import { rewrite } from '../rewrite.js';

const SPOKEN: ReadonlySet<string> = new Set(['text', 'markup', 'call', 'fence', 'label']);

export function saidIn(input: Pick<ReplyInput, 'text' | 'message'>, reply: Reply, table: MarkerTable): string {
  const native = input.message === undefined ? undefined : readNative(input.message);
  const given = [input.text ?? '', native?.text ?? ''].filter((part) => part !== '').join('\n');
  const { text } = rewrite(given, table); // the segments' offsets refer to it
  return reply.meta.segments
    .filter(({ kind }) => SPOKEN.has(kind))
    .map(({ start, end }) => text.slice(start, end))
    .join('');
}
