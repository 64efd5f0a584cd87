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

export interface Live {
  push(chunk: string): ReplyEvent[];
  end(): ReplyEvent[];
}

const START = /[<[{◁｛]/;

export function createLive(table: MarkerTable, startsInReasoning: boolean): Live {
  return new LiveView(table, startsInReasoning ? 'reasoning' : 'text');
}

class LiveView implements Live {
  private held = '';
  private position = 0;
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
    return this.run(false);
  }

  end(): ReplyEvent[] {
    return this.run(true);
  }

  private run(final: boolean): ReplyEvent[] {
    this.events = [];
    while (this.step(final)) {
      // one construct after another
    }
    return this.events;
  }

  /** Emits the first `length` characters held. */
  private emit(length: number, as: Mode = this.mode): void {
    const text = this.held.slice(0, length);
    this.held = this.held.slice(length);
    if (text === '') return;
    const last = this.events[this.events.length - 1];
    if (last?.type === as) this.events[this.events.length - 1] = { ...last, text: last.text + text };
    else this.events.push({ type: as, text, position: this.position });
    this.position += text.length;
  }

  private enter(role: Role): void {
    if (role === 'reasoning') this.mode = 'reasoning';
    else if (role === 'call') this.mode = 'call';
    else if (role !== 'separator' && role !== 'litter') this.mode = 'text';
  }

  /** Length of the JSON text at the head, up to its last closer. */
  private structure(): number {
    for (let i = 0; i < this.held.length; i++) {
      const char = this.held[i] as string;
      if (this.escaped) this.escaped = false;
      else if (this.inString) {
        if (char === '\\') this.escaped = true;
        else if (char === '"') this.inString = false;
      } else if (char === '"') this.inString = true;
      else if (char === '{' || char === '[') this.depth++;
      else if ((char === '}' || char === ']') && --this.depth <= 0) return i + 1;
    }
    return this.held.length;
  }

  private step(final: boolean): boolean {
    if (this.held === '') return false;
    if (this.depth > 0) {
      this.emit(this.structure(), 'call');
      return this.held !== '';
    }
    const at = this.held.search(START);
    if (at === 0) return this.marker(final);
    const text = at < 0 ? this.held : this.held.slice(0, at);
    if (this.mode === 'call' && /\s\S+\s\S+\s/.test(text)) this.mode = 'text';
    this.emit(text.length);
    return this.held !== '';
  }

  /** Something may begin at the head of what is held. */
  private marker(final: boolean): boolean {
    const { held, table } = this;
    const token = tokenAt(held, 0, table, this.lookup);
    const tag = token === undefined && held[0] === '<' ? tagAt(held, 0) : undefined;
    const brace = held[0] === '{' || held[0] === '｛';
    if (!final && held.length < HOLD_MAX && !brace && !/[>\]▷\n]/.test(held.slice(1))) return false;
    const role = tag === undefined ? undefined : tagRole(tag.name, table);
    if (token !== undefined) {
      this.emit(token.end, token.role === 'call' || token.role === 'call-end' ? 'call' : this.mode);
      this.enter(token.role);
    } else if (tag !== undefined && role !== undefined) {
      this.emit(tag.end, role === 'call' ? 'call' : this.mode);
      if (!tag.closing) this.enter(role);
      else if (role !== 'call' || this.mode !== 'call') this.enter('answer');
    } else if (this.mode !== 'reasoning' && (brace || /^\[\s*\{/.test(held))) this.emit(this.structure(), 'call');
    else this.emit(1);
    return this.held !== '';
  }
}

function tagRole(name: string, table: MarkerTable): Role | undefined {
  if (Object.hasOwn(table.tags, name)) return table.tags[name];
  return table.callTags.includes(name) || table.parameterTags.includes(name) ? 'call' : undefined;
}
