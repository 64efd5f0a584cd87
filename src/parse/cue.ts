/** What the words around a call say about it. */
import { CUES, type CueTable } from './cues-data.js';

export type CueMatchers = { readonly [K in keyof CueTable]: RegExp };

export function compileCues(table: CueTable = CUES): CueMatchers {
  const compile = (sources: readonly string[]): RegExp => new RegExp(sources.join('|'), 'im');
  return Object.fromEntries(Object.entries(table).map(([key, sources]) => [key, compile(sources)])) as CueMatchers;
}

/** The sentence that leads up to `at`: at most 240 characters, not across a blank line, the last two sentences. */
export function leadIn(text: string): string {
  const near = text.slice(-240).trimEnd();
  const paragraph = near
    .slice(near.lastIndexOf('\n\n') + 1)
    .replace(/```[\w-]*\s*$/, '')
    .trim();
  const sentences = paragraph.split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？])|\n/);
  return (sentences.findLast((sentence) => sentence.trim() !== '') ?? '').trim();
}

/** The built-in table, compiled. */
export const CUE_MATCHERS: CueMatchers = compileCues();
