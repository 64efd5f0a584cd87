/** Calls that are shown and not made: in block quotes, tables, quotation marks, elements for quoted text, shown code. */
import { followOf } from './clean.js';
import { lineStart } from './line.js';
import type { Candidate, Piece } from './piece.js';

/** Withholds the calls that the text around them shows as a quotation or as code. */
export function withholdShown(text: string, pieces: readonly Piece[], candidates: readonly Candidate[]): void {
  if (candidates.every(({ withheld }) => withheld !== undefined)) return;
  const blocks = quotingBlocks(text, pieces);
  let block = 0;
  for (const candidate of candidates) {
    if (candidate.withheld !== undefined) continue;
    const { start, end } = candidate;
    while ((blocks[block]?.[1] ?? Number.POSITIVE_INFINITY) <= start) block++;
    const inBlock = blocks[block] !== undefined && (blocks[block] as Block)[0] < start;
    const before = text.slice(lineStart(text, start, LINE_REACH), start);
    if (
      inBlock ||
      QUOTED_LINE.test(before) ||
      OTHERS_LINE.test(before) ||
      (candidate.format !== 'pythonic' && PROGRAM_LINE.test(before) && !ANSWER_NAME.test(before)) ||
      isAnswer(text, start, before) ||
      isDiff(text, start, before) ||
      isQuoted(text, pieces, start, end) ||
      (candidate.format === 'pythonic' && isCode(text, start, before))
    )
      candidate.withheld = 'quoted';
  }
}

const LINE_REACH = 300;
/** A block quote or a row of a table. */
const QUOTED_LINE = /^\s*(?:(?:(?:[-*+]|\d{1,3}[.)])\s+)?>(?!>>)|\|(?!>).*\|?\s*$)/;

/** A line of a log, or one that somebody else speaks. */
const OTHERS_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[\d{1,2}:\d\d(?::\d\d)?\]|(?:user|human|customer|client|system|tool|用户|客户|系统|工具)\s?[:：])/i;
/** A comment, or a statement that holds the call as a value. */
const PROGRAM_LINE =
  /^\s*(?:(?:#+|--|%+|REM)\s*$|\/[/*]|#\s|(?:const|let|var|val|return|yield|assert|export|throw|final|static|public|private)\s)|[\w\])]\s*(?:==+|!=)\s*$|(?:^|\s)[\w.]+\s*=\s*$|[\w\])]\.\w+\($/;
/** A variable by which models name the call that they make. */
const ANSWER_NAME = /^\s*(?:\w*(?:tool|function|action|call|request|result|response|answer|output)\w*)\s*=\s*$/i;

/** The answer to a question that stands on the line before, as in a list of questions. */
function isAnswer(text: string, start: number, before: string): boolean {
  if (!/^\s*(?:A|答|Answer)\s?[:：]/.test(before)) return false;
  const line = lineStart(text, start, LINE_REACH);
  return /(?:^|\n)\s*(?:Q|问|Question)\s?[:：][^\n]*\n\s*$/.test(text.slice(Math.max(0, line - LINE_REACH), line));
}

type Block = readonly [start: number, end: number];

const QUOTING =
  /<(\/?)(pre|code|samp|kbd|tt|xmp|listing|blockquote|q|cite|quote|details|textarea|script|template|figure|examples?|samples?|documentation|docs?|snippet|excerpt|table|del|strike)(?:\s[^<>]{0,120})?>|\\(begin|end)\{(verbatim|lstlisting|minted|alltt|quote|quotation|code)\}|^[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(~{3,})[ \t]*([^\n]{0,60})/gim;

/** Text without any of these holds no quoting block. */
const BLOCK_MARKS = ['<', '~~~', '\\begin{', '\\end{'];

/** Languages of `~~~` blocks in which a call may be made, as in a fence of backticks. */
const CALLING = /^(?:|json\w*|xml|text|txt|plaintext|tools?|tool[_-]\w+|function\w*|action|api|call)$/i;

/** An opener that waits for its closer. A `~~~` block of a calling language is followed, too, but quotes nothing. */
interface Opener {
  readonly name: string;
  readonly start: number;
  readonly quotes: boolean;
}

/**
 * The outermost pairs of quoting tags in the text, and `~~~` blocks in another language than that of calls. In order.
 * A closer belongs to the nearest opener of its name; openers without a closer, as in a sentence about a tag, quote nothing.
 */
function quotingBlocks(text: string, pieces: readonly Piece[]): Block[] {
  const blocks: Block[] = [];
  const openers: Opener[] = [];
  const waiting = new Map<string, number>();
  const count = (name: string, by: number): unknown => waiting.set(name, (waiting.get(name) ?? 0) + by);
  for (const piece of pieces) {
    if (piece.kind !== 'text') continue;
    const part = text.slice(piece.start, piece.end);
    if (!BLOCK_MARKS.some((mark) => part.includes(mark))) continue;
    for (const match of part.matchAll(QUOTING)) {
      const at = piece.start + match.index;
      const [, slash, tag, side, environment, tildes, info] = match;
      const name = (tag ?? environment)?.toLowerCase() ?? (tildes as string).slice(0, MOST_TILDES);
      const language = tildes === undefined ? undefined : (info ?? '').trim();
      const waits = closedBy(name).some((opener) => (waiting.get(opener) ?? 0) > 0);
      if (language === undefined ? slash === '/' || side?.toLowerCase() === 'end' : language === '' && waits) {
        if (waits) close(name, at + match[0].length);
      } else if (text[at - 1] !== '`') {
        openers.push({ name, start: at, quotes: language === undefined || !CALLING.test(language) });
        count(name, 1);
      }
    }
  }
  return blocks;

  /** Closes the nearest opener of the name; those inside it have no closer, and blocks inside it become part of it. */
  function close(name: string, end: number): void {
    const closed = closedBy(name);
    let opener: Opener;
    do {
      opener = openers.pop() as Opener;
      count(opener.name, -1);
    } while (!closed.includes(opener.name));
    if (!opener.quotes) return;
    while (blocks.length > 0 && (blocks[blocks.length - 1] as Block)[0] > opener.start) blocks.pop();
    blocks.push([opener.start, end]);
  }
}

const MOST_TILDES = 16;

/** The openers that a closer closes: those of its name, or as many tildes as it has, or fewer. */
function closedBy(name: string): readonly string[] {
  if (!name.startsWith('~')) return [name];
  return Array.from({ length: name.length - 2 }, (_, i) => name.slice(i));
}

/** Markdown's block of code: set in by four, an empty line and a paragraph before it, and no list. */
export function inIndentedBlock(text: string, start: number): boolean {
  const line = lineStart(text, start, LINE_REACH);
  const before = text.slice(line, start);
  if (before.trim() !== '' || !/^ {0,3}(?: {4}|\t)/.test(before)) return false;
  const above = lineAround(text, line, Math.min(4, indent(before)));
  return above !== undefined && !LIST_ITEM.test(above.text) && /^\n[ \t]*\n/.test(text.slice(above.end, line));
}

const LIST_ITEM = /^\s*(?:[-*+•]|\(?[\d一二三四五六七八九十a-z]{1,3}[.)、）])\s*/u;

/** A line of a difference between two texts. A list may begin with `-`, too. */
function isDiff(text: string, start: number, before: string): boolean {
  if (before === '+' || before === '+ ') return true;
  if (before !== '-' && before !== '- ') return false;
  return /^(?:@@ |\+\+\+ |--- |diff |\+ ?\S)/m.test(text.slice(Math.max(0, start - LINE_REACH), start + LINE_REACH));
}

const PAIRS: Readonly<Record<string, string>> = {
  '“': '”',
  '「': '」',
  '『': '』',
  '«': '»',
  '‹': '›',
  '„': '“',
  '《': '》',
  '‘': '’',
};

/** Quotation marks that opened before on the line close behind the call. */
function isQuoted(text: string, pieces: readonly Piece[], start: number, end: number): boolean {
  const before = text.slice(lineStart(text, start, LINE_REACH), start);
  if (before.trim() === '') return false;
  const after = followOf(text, pieces, end);
  for (const [opens, closes] of Object.entries(PAIRS))
    if (before.lastIndexOf(opens) > before.lastIndexOf(closes) && after.includes(closes)) return true;
  for (const mark of ['"', "'", '`', '~~']) {
    const touches = before.endsWith(mark);
    // Alone on its line, it is only framed.
    if (touches && mark !== '~~' && before.trim() === mark && after.trim() === mark) continue;
    if (touches && (after.trimStart().startsWith(mark) || /[=(+,:]\s*.$/.test(before))) return true;
    if (mark === '"' && before.split(mark).length % 2 === 0 && after.includes(mark)) return true;
  }
  return false;
}

const CODE_BEFORE =
  /^\s*(?:return|yield|if|elif|else|for|while|with|assert|raise|throw|def|function|const|let|var|lambda|import|from|>>>|\.\.\.|\$|#|\/\/|--|;|%|In \[\d*\]:|irb\S*>|sqlite>|mysql>|\w+@\S+[$#])(?:\s|$|\()/;
const OPENS_CODE =
  /^\s*(?:async |export |public |static )*(?:def|if|elif|else|for|while|with|try|except|finally|class|function|switch|case|do)\b.*[:{]\s*$/;

/** A statement of a program, or a line inside one. */
function isCode(text: string, start: number, before: string): boolean {
  if (CODE_BEFORE.test(before)) return true;
  const depth = indent(before);
  const above = depth > 0 ? lineAround(text, lineStart(text, start, LINE_REACH), depth) : undefined;
  return above !== undefined && OPENS_CODE.test(above.text);
}

/** How far back the line is looked for that a body belongs to: lines, and characters. */
const BODY_LINES = 20;
const BODY_REACH = 2_000;

/** The nearest line before `line` that is indented less than `depth`. */
function lineAround(text: string, line: number, depth: number): { text: string; end: number } | undefined {
  const floor = Math.max(0, line - BODY_REACH);
  let at = line;
  for (let looks = 0; at > floor && looks < BODY_LINES; looks++) {
    const from = lineStart(text, at - 1, at - 1 - floor);
    const above = text.slice(from, at - 1);
    if (above.trim() !== '' && indent(above) < depth) return { text: above, end: at - 1 };
    at = from;
  }
  return undefined;
}

const indent = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;
