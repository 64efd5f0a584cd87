/** The headings of a reply: what a section is headed by holds for the calls in it. */
import type { Piece } from './piece.js';

export interface Heading {
  readonly start: number;
  /** 1 to 6 by its marks, 7 for a line in bold, 0 for a rule, which ends every section. */
  readonly level: number;
  readonly text: string;
}

const LINE = /(?:^|\n) {0,3}(?=[#*_=-])/g;
/** Marks and words; one mark alone may begin a comment in a program, and counts only behind an empty line. */
const MARKS = /(#{1,6})[ \t]+(\S[^\n]{0,200})/y;
const BOLD = /(\*\*|__)([^\n*_]{1,100})\1[:：]?[ \t]*(?=\n|$)/y;
/** A rule, or the line under a heading. */
const RULE = /([=*_-])\1{2,}[ \t]*(?=\n|$)/y;

/** More are not kept: a reply has a few. */
const MAX_HEADINGS = 5_000;

export function headingsOf(text: string, pieces: readonly Piece[]): Heading[] {
  const headings: Heading[] = [];
  for (const piece of pieces) {
    if (piece.kind !== 'text') continue;
    const part = text.slice(piece.start, piece.end);
    for (const { index, 0: lead } of part.matchAll(LINE)) {
      if (headings.length >= MAX_HEADINGS) return headings;
      const heading = headingAt(part, index, index + lead.length);
      if (heading !== undefined) headings.push({ ...heading, start: piece.start + index });
    }
  }
  return headings;
}

function headingAt(text: string, line: number, at: number): Omit<Heading, 'start'> | undefined {
  const marks = matchAt(MARKS, text, at);
  const above = text.slice(text.lastIndexOf('\n', line - 1) + 1, line).trim();
  if (marks !== null) {
    const level = (marks[1] as string).length;
    return level === 1 && above !== '' ? undefined : { level, text: marks[2] as string };
  }
  const bold = matchAt(BOLD, text, at);
  if (bold !== null) return { level: 7, text: bold[2] as string };
  const rule = matchAt(RULE, text, at);
  if (rule === null) return undefined;
  const under = above !== '' && above.length < 100 && (rule[1] === '=' || rule[1] === '-');
  return under ? { level: rule[1] === '=' ? 1 : 2, text: above } : { level: 0, text: '' };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** How many headings are looked at for those that a place stands under. */
const MOST_LOOKS = 100;

/** The headings that the place stands under, the nearest first. */
export function headingsOver(headings: readonly Heading[], offset: number): Heading[] {
  let last = headings.length - 1;
  while (last >= 0 && (headings[last] as Heading).start >= offset) last--;
  const over: Heading[] = [];
  let level = 8;
  for (let i = last; i >= 0 && level > 1 && last - i < MOST_LOOKS; i--) {
    const heading = headings[i] as Heading;
    if (heading.level === 0) break;
    if (heading.level >= level) continue;
    over.push(heading);
    level = heading.level;
  }
  return over;
}
