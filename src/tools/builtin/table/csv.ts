/**
 * Rows out of delimited text, chunk by chunk. Quoted fields may hold delimiters, line breaks and doubled quotes; lines
 * end with LF or CRLF (or CR, if told so); blank lines are no rows. What is malformed costs one line, not the rest.
 */
export interface CsvOptions {
  readonly delimiter: string;
  /** Lines end with a lone CR. */
  readonly loneCr?: boolean;
  /**
   * Gets the fields of a row: the first `count` of `cells`, an array that is used again. Says whether it is a good row.
   * Fields longer than a dozen characters are views of the chunk: copy what is kept.
   */
  row(cells: readonly string[], count: number): boolean;
  /** A line that was given up: its row was refused, or its quotes do not close. */
  bad(): void;
}

/** A record may be so long; a quote that is still open then is taken for a stray one. */
const recordChars = 1_000_000;
/** Characters that may be read twice because of stray quotes, so that no text can make reading slow. */
const rescanChars = 50_000_000;

const QUOTE = 34;
const SPACE = 32;
const LF = 10;
const CR = 13;

export class CsvReader {
  readonly #options: CsvOptions;
  readonly #delimiter: number;
  readonly #loneCr: boolean;
  readonly #cells: string[] = [];
  #count = 0;
  /** Text that is not consumed yet, and where the scan stands in it. */
  #text = '';
  #at = 0;
  /** The record held line breaks inside quotes. */
  #broken = false;
  /** Something stood between a closing quote and the next delimiter. */
  #littered = false;
  #rescans = rescanChars;

  constructor(options: CsvOptions) {
    this.#options = options;
    this.#delimiter = options.delimiter.charCodeAt(0);
    this.#loneCr = options.loneCr ?? false;
  }

  push(chunk: string): void {
    this.#text = this.#text === '' ? chunk : this.#text + chunk;
    this.#drain(false);
  }

  end(): void {
    this.#drain(true);
  }

  #drain(final: boolean): void {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      if (this.#record(final)) {
        this.#emit(start);
        continue;
      }
      this.#at = start;
      const stray = final || this.#text.length - start > recordChars;
      if (!stray) break;
      this.#giveUpLine(start);
    }
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
  }

  /** Reads one record and moves behind it; false when the text ends within it. */
  #record(final: boolean): boolean {
    const text = this.#text;
    const length = text.length;
    let i = this.#at;
    this.#count = 0;
    this.#broken = false;
    this.#littered = false;
    for (;;) {
      const open = quoteAt(text, i);
      if (open === -1) {
        const end = unquotedEnd(text, i, this.#delimiter, this.#loneCr);
        this.#put(text.slice(i, end));
        i = end;
      } else {
        const close = closing(text, open);
        if (close === -1) return false;
        i = unquotedEnd(text, close + 1, this.#delimiter, this.#loneCr);
        this.#putQuoted(open, close, i);
      }
      if (i >= length) {
        this.#at = length;
        return final;
      }
      const code = text.charCodeAt(i);
      i += 1;
      if (code === this.#delimiter) continue;
      if (code === CR) {
        if (i >= length && !final) return false;
        if (text.charCodeAt(i) === LF) i += 1;
      }
      this.#at = i;
      return true;
    }
  }

  #put(cell: string): void {
    this.#cells[this.#count] = cell;
    this.#count += 1;
  }

  /** The quoted field between two quotes, and what stands behind it before `end`. */
  #putQuoted(open: number, close: number, end: number): void {
    const inside = this.#text.slice(open + 1, close);
    if (!this.#broken && inside.includes('\n')) this.#broken = true;
    const cell = inside.includes('"') ? inside.replaceAll('""', '"') : inside;
    const tail = end === close + 1 ? '' : this.#text.slice(close + 1, end);
    const litter = tail.trim() !== '';
    if (litter) this.#littered = true;
    this.#put(litter ? cell + tail : cell);
  }

  #emit(start: number): void {
    const blank = this.#count === 1 && this.#cells[0] === '' && this.#text.charCodeAt(start) !== QUOTE;
    if (blank) return;
    const good = !(this.#broken && this.#littered) && this.#options.row(this.#cells, this.#count);
    if (good) return;
    if (this.#broken && this.#rescans > 0) this.#giveUpLine(start);
    else this.#options.bad();
  }

  /** Gives up the first line of the record that starts at `start` and goes on behind it. */
  #giveUpLine(start: number): void {
    this.#options.bad();
    const end = this.#text.indexOf('\n', start);
    const next = end === -1 ? this.#text.length : end + 1;
    this.#rescans -= Math.max(0, this.#at - next);
    this.#at = next;
  }
}

/** The quote that opens the field at `from`, blanks before it allowed; -1 when the field is not quoted. */
function quoteAt(text: string, from: number): number {
  let i = from;
  while (text.charCodeAt(i) === SPACE) i += 1;
  return text.charCodeAt(i) === QUOTE ? i : -1;
}

/**
 * Where the quoted field that opens at `open` closes; -1 when it does not within this text. A quote at the very end may
 * turn out to be half of a doubled one: such a record is not complete yet, and is read again.
 */
function closing(text: string, open: number): number {
  let i = open + 1;
  for (;;) {
    const quote = text.indexOf('"', i);
    if (quote === -1) return -1;
    if (text.charCodeAt(quote + 1) !== QUOTE) return quote;
    i = quote + 2;
  }
}

function unquotedEnd(text: string, from: number, delimiterCode: number, loneCr: boolean): number {
  const length = text.length;
  let i = from;
  for (; i < length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === delimiterCode || code === LF) return i;
    if (code === CR && (loneCr || i + 1 >= length || text.charCodeAt(i + 1) === LF)) return i;
  }
  return i;
}
