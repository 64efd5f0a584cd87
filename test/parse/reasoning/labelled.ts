/** Sentences with the type that a reader gives them: the table's own examples, and a part that no cue was written by. */
import { readFileSync } from 'node:fs';
import { THOUGHT_CUES } from '../../../src/parse/reasoning/classify.js';
import type { ThoughtExamples, ThoughtType } from '../../../src/parse/reasoning/cues.js';

export interface Labelled {
  readonly text: string;
  readonly type: ThoughtType;
}

export function labelled(part: 'examples' | 'held-out', language: 'en' | 'zh'): Labelled[] {
  const file = readFileSync(new URL('./held-out.json', import.meta.url), 'utf8');
  const sentences =
    part === 'examples' ? THOUGHT_CUES.examples : (JSON.parse(file) as Record<'en' | 'zh', ThoughtExamples>);
  return (Object.entries(sentences[language]) as [ThoughtType, string[]][]).flatMap(([type, texts]) =>
    texts.map((text) => ({ text, type })),
  );
}
