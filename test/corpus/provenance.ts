/**
 * The property that no call is made up: name and values of every call that may run stand in the reply, outside
 * reasoning, comments, tool output and inline code that quotes a call. Compared by letters and digits, since repairs change only what stands between.
 */
import { MARKERS } from '../../src/parse/markers.js';
import type { Reply } from '../../src/parse/reply.js';
import { rewrite } from '../../src/parse/rewrite.js';

const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The text as written, with escapes and entities taken for what they mean, and in the common spelling of markup. */
function readings(text: string): string[] {
  const entities = text
    .replace(/&(?:quot|#39);/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  const common = rewrite(text, MARKERS).text;
  const attributes = common.replace(ATTRIBUTE, (value) => value.replace(/<\|\w{1,20}\|>/g, ''));
  return [text, unescaped(text), entities, common, unescaped(common), attributes].map(bare);
}

/** The value of an attribute, in which special tokens may have slipped. */
const ATTRIBUTE = /="[^"\n]{1,100}"/g;

const unescaped = (text: string): string =>
  text
    .replace(/\\+u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\+x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\+[nrtbf]/g, ' ');

const withheld = new Set(['reasoning', 'comment', 'output']);

function outside(text: string, reply: Reply): string {
  if (reply.meta.repairs.some((repair) => repair.includes('markup') || repair.includes('quotes read'))) return text;
  return reply.meta.segments
    .map(({ kind, start, end }) => (withheld.has(kind) ? ' ' : text.slice(start, end)))
    .join('');
}

const CODE_SPAN = /(?<=[^\s`][^\n`]*)`[^`\n]*[{(<][^`\n]*`/g;
const CONTROL_TOKEN = /<[|｜][^|｜<>\n]{1,48}[|｜]>/g;

/** Without the code spans of prose in which a call could stand. A span alone on its line only frames what it holds. */
const unquoted = (text: string): string =>
  text.replace(CODE_SPAN, (span) => (/[{(<]/.test(span.replace(CONTROL_TOKEN, '')) ? ' ' : span));

function* leaves(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number' && Number.isSafeInteger(value)) yield String(Math.abs(value));
  else if (value !== null && typeof value === 'object') for (const item of Object.values(value)) yield* leaves(item);
}

/** Conversions whose result is spelt differently from what stands in the reply. */
const respelt = /date |to number|to text|to JSON|choice|to boolean|number in another form|only close one|elements|list/;

/** What of the reply's calls stands nowhere in the text. Empty when all is well. */
export function unfounded(text: string, reply: Reply): string[] {
  if (reply.calls.length === 0) return [];
  const kept = outside(text, reply);
  const all = readings(kept);
  const open = readings(unquoted(kept));
  const stands = (word: string): boolean =>
    (word.includes('`') ? all : open).some(
      (source) => source.includes(bare(word)) || source.includes(bare(unescaped(word))),
    );
  return reply.calls.flatMap((call) => {
    const free = call.repairs.some((repair) => respelt.test(repair));
    const missing = free ? [] : [...leaves(call.arguments)].filter((leaf) => !stands(leaf));
    return free || stands(call.name) ? missing : [call.name, ...missing];
  });
}
