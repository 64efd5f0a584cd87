/** Cuts text into sentences and clauses, the pieces in which something is said. */
import { withoutReassurance } from './polarity.js';

export interface Clause {
  readonly text: string;
  /** The sentence it stands in. */
  readonly sentence: string;
  /** What comes before it there. */
  readonly before: string;
  /** A colon follows: it may be the head of what comes. */
  readonly isHead: boolean;
}

const mostSentence = 1_000;

/** A full stop ends a sentence before white space only: `report.md` and `3.5` go on. */
const sentenceEnd = /(?:[!?]+|\.)(?=[\s"'”’)\]*]|$)|[。！？；;\n]+/;
const clauseEnd =
  /[,，、](?!\d{3})|[:：](?!\d|\/\/)| [-–—] |——|[()（）[\]]|\b(?:but|however|although|though|while|whereas|because|so|then|and then|which)\b(?![-_\d])|(?:但是?|不过|然而|而且|因此|所以|因为|由于|然后|随后|并且|接着)/i;

export function sentencesOf(text: string): string[] {
  const kept: string[] = [];
  for (const piece of text.split(sentenceEnd)) {
    const trimmed = piece.trim();
    for (let at = 0; at < trimmed.length; at += mostSentence) kept.push(trimmed.slice(at, at + mostSentence));
  }
  return kept;
}

export const clausesOf = (text: string): Clause[] =>
  sentencesOf(text).flatMap((sentence) => {
    let end = 0;
    return sentence.split(clauseEnd).flatMap((part) => {
      const at = sentence.indexOf(part, end);
      end = at + part.length;
      const clause = {
        text: part.trim(),
        sentence,
        before: sentence.slice(0, at),
        isHead: /^[:：]/.test(sentence.slice(end)),
      };
      return clause.text === '' ? [] : [clause];
    });
  });

/** Without paths and addresses, whose parts are no words: `mail.to@example.com`, `failed.log`. */
export const wordsOnly = (text: string): string =>
  withoutReassurance(text.replace(nameParts, (name) => '_'.repeat(name.length)));

const nameParts = /[^\s\u4e00-\u9fff，。、；：（）()]*[@/\\.][\w/-][^\s\u4e00-\u9fff，。、；：（）()]*/g;
const codeFence = /```([\w+-]*)[^\n]*\n([\s\S]*?)(?:```|$)/g;
const dataFences = new Set(['', 'json', 'csv', 'text', 'txt', 'yaml', 'yml', 'md', 'markdown', 'table']);

/** Code shows how something could be done; it says nothing of what was done. Fences of data stay. */
export const withoutCode = (text: string): string =>
  text.includes('```')
    ? text.replace(codeFence, (_, language: string, body: string) =>
        dataFences.has(language.toLowerCase()) ? body : ' ',
      )
    : text;

const quoted = /"[^"\n]{1,300}"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』/g;
const quoteLine = /^\s*>.*$/gm;

/** What somebody else said is not said by the agent. Quoted names of one word stay. */
export const withoutQuotes = (text: string): string =>
  text
    .replace(quoteLine, ' ')
    .replace(quoted, (match) => (/[\s\u4e00-\u9fff]/.test(match) ? ' … ' : match.slice(1, -1)));
