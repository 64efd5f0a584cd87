/**
 * The tolerant walk over one JSON value. It builds nothing: it notes the edits that turn the text into valid JSON,
 * so that what was understood is exactly what the log says. Linear in the text; depth and work are limited.
 */
import { bareToken, endsNumber, groupedEnd, numberEnd, PLAIN_DIGITS, startsNumber } from './json-bare.js';
import { BRACKETS, isComma, isQuote, isWord, plain } from './json-char.js';
import type { Edit } from './json-edit.js';
import { readKey, skipWords } from './json-key.js';
import { Keys, NO_KEYS } from './json-keys.js';
import { quoteTokenAt, walkBetweenTokens, walkString } from './json-quote.js';
import { skipSpace } from './json-space.js';
import { bareKeyAt, type Container, literalAt, markupAt, memberFollows, type Role, wordOnLine } from './json-string.js';

export const MAX_DEPTH = 200;

/** Keys given twice that are told of. */
const MAX_DUPLICATES = 8;

/** What needs more changes than this is no JSON; the log of them would outgrow the text. */
const MAX_EDITS = 50_000;

/** Levels of JSON inside unescaped strings of JSON. */
const MAX_NESTING = 2;

/** The failure of a value that would have to be computed first, as in `f(city=home())`. */
export const EXPRESSION = 'an expression instead of a value';

/** Where the text ended before the value did. `value`: inside a string or a word, so something is lost. */
export type Cut = 'none' | 'closers' | 'value';

const NONE: readonly never[] = [];

export class JsonWalk {
  pos: number;
  readonly edits: Edit[] = [];
  cut: Cut = 'none';
  /** The walk stopped at the end of the text, not at something foreign. */
  atEnd = false;
  /** Path of the innermost container that was open where the walk stopped. */
  open: readonly (string | number)[] = NONE;
  /** Keys that one object has twice. */
  duplicates: readonly string[] = NONE;
  /** `...` stood for left-out members. */
  elided = false;
  fail: string | undefined;
  /** How far the walk looked, for accounting. */
  furthest = 0;
  extra = 0;
  private stopped = false;
  private readonly path: (string | number)[] = [];
  private readonly containers: Container[] = ['top'];

  /** @param probe give up at the first thing that no JSON writer would produce */
  constructor(
    readonly text: string,
    at: number,
    readonly end: number,
    readonly probe = false,
    public depth = 0,
    private readonly nesting = 0,
  ) {
    this.pos = at;
  }

  get container(): Container {
    return this.containers[this.containers.length - 1] as Container;
  }

  edit(at: number, remove: number, insert: string, rule: string): void {
    if (this.edits.length >= MAX_EDITS) this.giveUp('too broken');
    else this.edits.push({ at, remove, insert, rule });
  }

  /** A strict walk over JSON inside a string. */
  inside(at: number): JsonWalk | undefined {
    if (this.nesting >= MAX_NESTING || this.depth >= MAX_DEPTH) return undefined;
    return new JsonWalk(this.text, at, this.end, true, this.depth + 1, this.nesting + 1);
  }

  giveUp(reason: string): void {
    this.furthest = Math.max(this.furthest, this.pos);
    this.fail ??= reason;
    this.stopped = true;
  }

  value(role: Role = 'value'): void {
    skipSpace(this);
    const char = this.text[this.pos] as string;
    const token = quoteTokenAt(this.text, this.pos);
    if (this.pos >= this.end) this.stop(this.pos, this.container === 'top' ? '' : 'null');
    else if (isQuote(char)) walkString(this, role);
    else if (token !== undefined) walkBetweenTokens(this, token);
    else if (char === '{' || char === '｛') this.members('object', '}');
    else if (char === '[' || char === '［') this.members('array', ']');
    else if (startsNumber(char)) this.number();
    else if ((char === '(' || char === '（') && !this.probe) this.members('array', ')');
    else if (char === '\\' && isQuote(this.text[this.pos + 1])) this.giveUp('escaped');
    else this.bare();
  }

  private number(): void {
    const stop = numberEnd(this.text, this.pos);
    const grouped = groupedEnd(this.text, this.pos, stop, this.container);
    if (grouped > 0) {
      const written = this.text.slice(this.pos, grouped);
      this.edit(this.pos, grouped - this.pos, written.replaceAll(',', ''), 'number in another form');
      this.pos = grouped;
      return;
    }
    const next = this.text[stop];
    if (stop < 0 || (stop < this.end && next !== undefined && !endsNumber(next) && !this.text.startsWith('/*', stop))) {
      this.bare();
      return;
    }
    if (stop >= this.end && this.container !== 'top') this.cut = 'value';
    if (stop - this.pos <= PLAIN_DIGITS) {
      this.pos = stop;
      return;
    }
    const digits = this.text.slice(this.pos, stop);
    if (!Number.isFinite(Number(digits)) && /[eE]/.test(digits))
      this.edit(this.pos, stop - this.pos, `"${digits}"`, 'number out of range');
    if (digits.length > 15 && /^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits)))
      this.edit(this.pos, stop - this.pos, `"${digits}"`, 'whole number kept as text');
    this.pos = stop;
  }

  private bare(): void {
    if (this.text.startsWith('...', this.pos) || this.text[this.pos] === '…') this.elided = true;
    const token = bareToken(this.text, this.pos, this.end, this.container, this.containers[1] === 'call');
    if (token === undefined) {
      if (this.probe) this.giveUp('no value');
      else if (this.pos < this.end && markupAt(this.text, this.pos)) this.stop(this.pos);
      else this.edit(this.pos, 0, 'null', 'missing value');
      return;
    }
    if (token.end >= this.end && this.container !== 'top') this.cut = 'value';
    const raw = this.text.slice(this.pos, token.end);
    if (raw !== token.json) this.edit(this.pos, raw.length, token.json, token.rule);
    this.pos = token.end;
    if (token.expression) this.giveUp(EXPRESSION);
  }

  /**
   * Stops the whole walk: every open container closes at `at`, behind what stands for a value that did not come.
   *
   * @param bare the innermost was only opened: it was about to be filled
   */
  private stop(at: number, value = '', bare = false): void {
    if (this.stopped) return;
    if (value !== '') this.edit(at, 0, value, 'missing value');
    if (value !== '' || bare) this.cut = 'value';
    this.stopped = true;
    this.atEnd = at >= this.end || this.restIsWord();
    if (this.cut === 'none') this.cut = 'closers';
    this.open = [...this.path];
  }

  /** A closer without an opener. In a call, behind a value without quotes, it may have been part of that. */
  private strayCloser(): void {
    if (this.containers[1] === 'call' && isWord(this.text.charCodeAt(this.pos - 1))) {
      this.cut = 'value';
      this.open = [...this.path];
    }
    this.edit(this.pos, 1, '', 'stray closer');
    this.pos++;
  }

  /** Only the beginning of a key lies between here and the end of the text. */
  private restIsWord(): boolean {
    return this.end - this.pos < 200 && /^\s*["'“]?[\w\s.-]*["'”]?\s*$/.test(this.text.slice(this.pos, this.end));
  }

  /** An object, an array, a tuple, or the arguments of a call (`(` … `)` with keys). */
  members(kind: 'object' | 'array' | 'call', closer: string): void {
    if (this.depth >= MAX_DEPTH) {
      this.giveUp('too deep');
      return;
    }
    this.depth++;
    this.containers.push(kind);
    const wanted = kind === 'array' ? '[' : '{';
    const opener = this.text[this.pos] as string;
    if (opener !== wanted)
      this.edit(this.pos, 1, wanted, opener in BRACKETS ? 'full-width punctuation' : 'other brackets');
    this.pos++;
    this.loop(kind, closer, kind === 'array' ? ']' : '}');
    this.containers.pop();
    this.depth--;
  }

  private loop(kind: 'object' | 'array' | 'call', closer: string, proper: string): void {
    let count = 0;
    let comma = -1;
    let last = this.pos;
    const { text } = this;
    const seen = kind === 'array' ? NO_KEYS : new Keys();
    const opened = this.pos - 1;
    let doubled = false;
    for (;;) {
      skipSpace(this);
      if (this.fail !== undefined) return;
      if (this.pos >= this.end) {
        this.stop(this.pos, '', count === 0);
        this.pos = last;
        this.close(comma, last, proper);
        return;
      }
      const raw = this.text[this.pos] as string;
      const char = plain(raw);
      if (char === closer) {
        this.close(comma, last, '');
        if (raw !== proper)
          this.edit(this.pos, 1, proper, raw in BRACKETS ? 'full-width punctuation' : 'other brackets');
        this.pos++;
        if (doubled) this.secondBrace('}');
        return;
      }
      if (raw === '{' && kind === 'object' && count === 0 && comma < 0 && !doubled && !this.probe) {
        doubled = true;
        this.secondBrace('{');
        continue;
      }
      if (isComma(char) && char !== '、') {
        if (comma >= 0 || count === 0) this.edit(this.pos, 1, '', 'stray comma');
        else comma = this.pos;
        this.pos++;
        continue;
      }
      if (
        char === '}' &&
        kind === 'array' &&
        this.containers.at(-2) === 'object' &&
        memberFollows(text, this.pos + 1)
      ) {
        this.close(comma, last, '');
        this.edit(this.pos++, 1, proper, 'other brackets');
        return;
      }
      if ((char === '}' || char === ']') && this.foreignCloser(char)) {
        this.close(comma, last, proper);
        return;
      }
      if (char === '}' || char === ']') {
        this.strayCloser();
        continue;
      }
      if (this.text.startsWith('...', this.pos) || raw === '…') {
        this.elided = true;
        const length = raw === '…' ? 1 : 3;
        this.edit(this.pos, length, '', 'ellipsis');
        this.pos += length;
        continue;
      }
      if (!this.member(kind, count, seen, opened, comma, last)) {
        if (this.reopened) return;
        this.pos = last;
        this.close(this.stopped ? comma : -1, last, proper);
        return;
      }
      if (count > 0 && comma < 0) this.edit(last, 0, ',', 'missing comma');
      const written = comma < 0 ? ',' : this.text[comma];
      if (written !== ',') this.edit(comma, 1, ',', written === '，' ? 'full-width punctuation' : 'other separator');
      count++;
      comma = -1;
      last = this.pos;
      if (this.stopped) {
        this.close(comma, last, proper);
        return;
      }
    }
  }

  /** Templates write `{{` for a brace, and models copy it. */
  private secondBrace(brace: string): void {
    skipSpace(this);
    if (this.text[this.pos] === brace) this.edit(this.pos++, 1, '', 'doubled braces');
    else if (this.pos < this.end) this.giveUp('one brace of two');
    else this.stop(this.pos);
  }

  /** Takes a comma before the closer out, and puts the closer in when there is none. */
  private close(comma: number, last: number, insert: string): void {
    if (comma >= 0) this.edit(comma, 1, '', 'stray comma');
    if (insert !== '') this.edit(last, 0, insert, 'closer missing');
  }

  private reopened = false;

  /** A closer that belongs to a container further out. */
  private foreignCloser(char: string): boolean {
    const wanted: Container = char === '}' ? 'object' : 'array';
    const at = this.containers.indexOf(wanted);
    return at >= 0 && at < this.containers.length - 1;
  }

  /** Reads one member. False: none stands here; the container ends. */
  private member(
    kind: 'object' | 'array' | 'call',
    count: number,
    seen: Keys,
    opened: number,
    comma: number,
    last: number,
  ): boolean {
    if (kind === 'object' && count > 0) skipWords(this);
    const { text, pos } = this;
    if (kind === 'array') {
      if (count > 0 && comma < 0 && this.containers[1] === 'call' && /[-+*/%a-z]/.test(text[pos] as string)) {
        this.giveUp(EXPRESSION);
        return false;
      }
      if (
        (markupAt(text, pos) && quoteTokenAt(text, pos) === undefined) ||
        (count > 0 && comma < 0 && !this.valueHere(last))
      ) {
        if (this.probe && count === 0) this.giveUp('no value');
        this.stop(last);
        return false;
      }
      this.path.push(count);
      this.value();
      this.path.pop();
      return this.fail === undefined;
    }
    if (kind === 'call' && text[pos] === '*' && '*[('.includes(text[pos + 1] ?? ' ')) {
      if (count > 0 || !text.startsWith('**{', pos)) {
        this.giveUp(EXPRESSION);
        return false;
      }
      this.edit(pos, 2, '', 'arguments unpacked');
      this.pos += 2;
    }
    if (
      this.containers[1] === 'call' &&
      count > 0 &&
      comma < 0 &&
      !bareKeyAt(text, pos, this.end) &&
      !markupAt(text, pos)
    ) {
      this.giveUp(EXPRESSION);
      return false;
    }
    if (kind === 'object' && text.startsWith('```', pos)) {
      this.stop(last);
      return false;
    }
    const key = readKey(this, kind, count);
    if (key === undefined) {
      if (text[pos] === '{' && comma >= 0 && this.containers.at(-2) === 'array') return false;
      if (text[pos] === '{' && comma >= 0 && this.containers.length > 3) return false;
      if (count === 0 && kind === 'object' && !this.probe && this.asSet(opened)) return false;
      if (this.fail === undefined && this.probe && count === 0) this.giveUp('no key');
      this.stop(last);
      return false;
    }
    if (seen.has(key) && this.duplicates.length < MAX_DUPLICATES) this.duplicates = [...this.duplicates, key];
    seen.add(key);
    this.path.push(key);
    this.value();
    this.path.pop();
    return this.fail === undefined;
  }

  private valueHere(last: number): boolean {
    const char = plain(this.text[this.pos] as string);
    if (isQuote(char) || '{[(-'.includes(char) || quoteTokenAt(this.text, this.pos) !== undefined) return true;
    return literalAt(this.text, this.pos) || (!this.probe && wordOnLine(this.text, last, this.pos));
  }

  /** `{1, 2}` and `{"a", "b"}`: a set. Walks it as an array. */
  private asSet(opened: number): boolean {
    const char = this.text[this.pos] as string;
    if (!isQuote(char) && !/[\d-]/.test(char)) return false;
    this.edit(opened, 1, '[', 'set read as a list');
    this.containers[this.containers.length - 1] = 'array';
    this.loop('array', '}', ']');
    if (this.stopped) this.cut = 'value';
    this.reopened = true;
    return true;
  }
}
