/** The tables of both languages, compiled. */
import type { CueTable, WordClasses } from './cue-table.js';
import { EN_CUES, EN_WORDS } from './cues-en.js';
import { ZH_CUES, ZH_WORDS } from './cues-zh.js';

/** One kind of cue, in both languages. */
export interface Cue {
  /** Whether a text of a few hundred characters has it. */
  readonly test: (text: string) => boolean;
}

export type CueMatchers = { readonly [K in keyof CueTable]: Cue };

/** `{other}`: white space, punctuation or a symbol. Spelt out, because classes by Unicode property are slow to compile. */
const OTHER =
  '[\\s!-/:-@\\[-^`{-~\\u2010-\\u205e\\u2190-\\u2bff\\u3000-\\u303f\\uff00-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65]';

/** Puts the words of its classes into each pattern. */
function compile(sources: readonly string[], words: WordClasses): RegExp {
  const fill = (source: string): string => source.replace(/\{(\p{L}+)\}/gu, (_, name: string) => words[name] ?? OTHER);
  return new RegExp(sources.map(fill).join('|'), 'm');
}

/** V8 makes machine code at once for a text of 1,000 characters; for a shorter one it first makes slow byte code, at six times the cost. */
const LONG = '-'.repeat(1000);

/** Compiled when it is first asked. */
function lazily(sources: readonly string[], words: WordClasses): (text: string) => boolean {
  let pattern: RegExp | undefined;
  return (text) => {
    if (pattern === undefined) {
      pattern = compile(sources, words);
      pattern.test(LONG);
    }
    return pattern.test(text);
  };
}

const LATIN = /[a-z✗✘❌🚫⛔✖]/u;
const HAN = /\p{Script=Han}/u;

function cueOf(key: keyof CueTable): Cue {
  const english = lazily(EN_CUES[key], EN_WORDS);
  const chinese = lazily(ZH_CUES[key], ZH_WORDS);
  return {
    test(text) {
      const low = text.toLowerCase();
      return (LATIN.test(low) && english(low)) || (HAN.test(low) && chinese(low));
    },
  };
}

const KEYS = Object.keys(EN_CUES) as (keyof CueTable)[];

export const CUE_MATCHERS = Object.fromEntries(KEYS.map((key) => [key, cueOf(key)])) as unknown as CueMatchers;
