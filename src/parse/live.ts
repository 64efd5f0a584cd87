/**
 * The provisional view of a reply while it arrives: which of its text is for the reader, which is reasoning, which
 * belongs to a call. Holds back at most the longest marker. What counts in the end is decided over the whole text.
 */
import type { MarkerTable, Role } from './markers.js';
import { literalsOf, tagAt, tokenAt } from './token.js';

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
  const literals = literalsOf(table);
  let mode: Mode = startsInReasoning ? 'reasoning' : 'text';
  let held = '';
  let position = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;

  const emit = (events: ReplyEvent[], text: string, as: Mode = mode): void => {
    if (text === '') return;
    const last = events[events.length - 1];
    if (last !== undefined && last.type === as && last.position + last.text.length === position)
      events[events.length - 1] = { ...last, text: last.text + text };
    else events.push({ type: as, text, position });
    position += text.length;
  };

  const enter = (role: Role): void => {
    depth = 0;
    inString = false;
    if (role === 'reasoning') mode = 'reasoning';
    else if (role === 'call') mode = 'call';
    else if (role !== 'separator' && role !== 'litter') mode = 'text';
  };

  /** Length of the JSON text at the head of `held`, up to its last closer. */
  const structure = (): number => {
    for (let i = 0; i < held.length; i++) {
      const char = held[i] as string;
      if (escaped) escaped = false;
      else if (inString) {
        if (char === '\\') escaped = true;
        else if (char === '"') inString = false;
      } else if (char === '"') inString = true;
      else if (char === '{' || char === '[') depth++;
      else if ((char === '}' || char === ']') && --depth <= 0) return i + 1;
    }
    return held.length;
  };

  const step = (events: ReplyEvent[], final: boolean): boolean => {
    if (held === '') return false;
    if (depth > 0) {
      const length = structure();
      emit(events, held.slice(0, length), 'call');
      held = held.slice(length);
      return held !== '';
    }
    const at = held.search(START);
    if (at !== 0) {
      const text = at < 0 ? held : held.slice(0, at);
      if (mode === 'call' && text.trim() !== '' && /\s\S+\s\S+\s/.test(text)) mode = 'text';
      emit(events, text);
      held = held.slice(text.length);
      return held !== '';
    }
    return marker(events, final);
  };

  /** Something may begin at the head of `held`. */
  const marker = (events: ReplyEvent[], final: boolean): boolean => {
    const token = tokenAt(held, 0, table, literals);
    const tag = token === undefined && held[0] === '<' ? tagAt(held, 0) : undefined;
    const undecided =
      !final && held.length < HOLD_MAX && !/[>\]▷\n]/.test(held.slice(1)) && held[0] !== '{' && held[0] !== '｛';
    if (undecided) return false;
    if (token !== undefined) {
      emit(events, held.slice(0, token.end), token.role === 'call' || token.role === 'call-end' ? 'call' : mode);
      held = held.slice(token.end);
      enter(token.role);
      return held !== '';
    }
    const role = tag === undefined ? undefined : tagRole(tag.name, table);
    if (tag !== undefined && role !== undefined) {
      emit(events, held.slice(0, tag.end), role === 'call' ? 'call' : mode);
      held = held.slice(tag.end);
      if (tag.closing) enter(role === 'call' && mode === 'call' ? 'litter' : 'answer');
      else enter(role);
      return held !== '';
    }
    if (mode !== 'reasoning' && (held[0] === '{' || (held[0] === '[' && /^\[\s*\{/.test(held)))) {
      depth = 0;
      inString = false;
      const length = structure();
      emit(events, held.slice(0, length), 'call');
      held = held.slice(length);
      return held !== '';
    }
    emit(events, held[0] as string);
    held = held.slice(1);
    return held !== '';
  };

  const run = (final: boolean): ReplyEvent[] => {
    const events: ReplyEvent[] = [];
    while (step(events, final)) {
      // one construct after another
    }
    return events;
  };

  return {
    push(chunk) {
      held += chunk;
      return run(false);
    },
    end: () => run(true),
  };
}

function tagRole(name: string, table: MarkerTable): Role | undefined {
  if (Object.hasOwn(table.tags, name)) return table.tags[name];
  return table.callTags.includes(name) || table.parameterTags.includes(name) ? 'call' : undefined;
}
