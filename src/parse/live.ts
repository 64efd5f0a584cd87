/**
 * The provisional view of a reply while it arrives: which of its text is for the reader, which is reasoning, which
 * belongs to a call. Holds back at most the longest marker. What counts in the end is decided over the whole text.
 */
import type { MarkerTable, Role } from './markers.js';
import { type Lookup, lookupOf, tagAt, tokenAt } from './token.js';

export interface ReplyEvent {
  /** `call`: text of something that may become a call. */
  readonly type: 'text' | 'reasoning' | 'call';
  readonly text: string;
  /** Offset of the text in the reply. */
  readonly position: number;
}

/** The longest marker, and so the most that is held back. */
export const HOLD_MAX = 48;

type Mode = 'text' | 'reasoning' | 'call';

/** A channel for thoughts. */
const THINKS = /(?:^|[|>\s])(?:analysis|thought|thinking|reasoning)\b/i;

export interface Live {
  push(chunk: string): ReplyEvent[];
}

export function createLive(table: MarkerTable, startsInReasoning: boolean): Live {
  return new LiveView(table, startsInReasoning ? 'reasoning' : 'text');
}

const CLOSER = /[>\]▷\n]/;
const LIST_OF_OBJECTS = /\[\s*\{/y;

class LiveView implements Live {
  /** The text that is not shown yet; while a chunk is read, also what was shown of it. */
  private held = '';
  /** Offset of `held` in the reply. */
  private position = 0;
  /** In `held`: where the next construct begins, and where the event under way does. */
  private at = 0;
  private from = 0;
  private shown: Mode = 'text';
  /** Open brackets of the JSON that is passing by. */
  private depth = 0;
  private inString = false;
  private escaped = false;
  private events: ReplyEvent[] = [];
  private readonly lookup: Lookup;

  constructor(
    private readonly table: MarkerTable,
    private mode: Mode,
  ) {
    this.lookup = lookupOf(table);
  }

  push(chunk: string): ReplyEvent[] {
    this.held += chunk;
    this.events = [];
    while (this.at < this.held.length && this.step()) {
      // one construct after another
    }
    this.flush();
    this.position += this.at;
    this.held = this.held.slice(this.at);
    this.at = 0;
    this.from = 0;
    return this.events;
  }

  /** Shows the next `length` characters. */
  private emit(length: number, as: Mode = this.mode): void {
    if (as !== this.shown) this.flush();
    this.shown = as;
    this.at += length;
  }

  private flush(): void {
    const { at, from, shown } = this;
    if (at > from) this.events.push({ type: shown, text: this.held.slice(from, at), position: this.position + from });
    this.from = at;
  }

  /** Between a channel marker and its message: what the header says so far. */
  private header: string | undefined;

  private enter(role: Role): void {
    if (role === 'channel') {
      this.header = '';
      this.mode = 'reasoning';
      return;
    }
    if (this.header !== undefined && role !== 'separator') {
      this.enterChannel();
      return;
    }
    if (role === 'reasoning') this.mode = 'reasoning';
    else if (role === 'call') this.mode = 'call';
    else if (role !== 'separator' && role !== 'litter') this.mode = 'text';
  }

  /** The header is over: its words tell whom the text is for. */
  private enterChannel(): void {
    const header = this.header ?? '';
    this.header = undefined;
    this.mode = THINKS.test(header) ? 'reasoning' : /\bto=/.test(header) ? 'call' : 'text';
  }

  /** Length of the JSON text at the head, up to its last closer. */
  private structure(): number {
    const { held, at } = this;
    for (let i = at; i < held.length; i++) {
      const code = held.charCodeAt(i);
      if (this.escaped) this.escaped = false;
      else if (this.inString) {
        if (code === 92) this.escaped = true;
        else if (code === 34) this.inString = false;
      } else if (code === 34) this.inString = true;
      else if (code === 123 || code === 91) this.depth++;
      else if ((code === 125 || code === 93) && --this.depth <= 0) return i + 1 - at;
    }
    return held.length - at;
  }

  /** Shows one construct. False: more text is needed to tell what it is. */
  private step(): boolean {
    const { held, at } = this;
    if (this.depth > 0) {
      this.emit(this.structure(), 'call');
      return true;
    }
    let next = at;
    while (next < held.length && !starts(held.charCodeAt(next))) next++;
    if (next === at) return this.marker();
    if (this.header !== undefined) {
      const line = held.slice(at, next);
      this.header += line;
      const ends = line.indexOf('\n');
      if (ends >= 0) {
        this.emit(ends + 1);
        this.enterChannel();
        return true;
      }
    }
    if (this.mode === 'call' && /\s\S+\s\S+\s/.test(held.slice(at, next))) this.mode = 'text';
    this.emit(next - at);
    return true;
  }

  /** Something may begin at the head of what is held. */
  private marker(): boolean {
    const { held, at, table } = this;
    const brace = held[at] === '{' || held[at] === '｛';
    if (!brace && held.length - at < HOLD_MAX && !CLOSER.test(held.slice(at + 1))) return false;
    const token = tokenAt(held, at, table, this.lookup);
    const tag = token === undefined && held[at] === '<' ? tagAt(held, at) : undefined;
    const role = tag === undefined ? undefined : tagRole(tag.name, table);
    LIST_OF_OBJECTS.lastIndex = at;
    if (token !== undefined) {
      this.emit(token.end - at, token.role === 'call' || token.role === 'call-end' ? 'call' : this.mode);
      this.enter(token.role);
    } else if (tag !== undefined && role !== undefined) {
      this.emit(tag.end - at, role === 'call' ? 'call' : this.mode);
      if (!tag.closing) this.enter(role);
      else if (role !== 'call' || this.mode !== 'call') this.enter('answer');
    } else if (this.mode !== 'reasoning' && (brace || LIST_OF_OBJECTS.test(held))) this.emit(this.structure(), 'call');
    else this.emit(1);
    return true;
  }
}

/** `<`, `[`, `{`, `◁`, `｛` */
const starts = (code: number): boolean =>
  code < 128 ? code === 60 || code === 91 || code === 123 : code === 0x25c1 || code === 0xff5b;

function tagRole(name: string, table: MarkerTable): Role | undefined {
  const own = Object.hasOwn(table.tags, name) ? table.tags[name] : undefined;
  if (own !== undefined) return own === 'listing' ? 'output' : own;
  return table.callTags.includes(name) || table.parameterTags.includes(name) ? 'call' : undefined;
}
