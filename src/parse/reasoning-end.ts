/** Where reasoning ends whose own end is missing or cannot be told from its start: at the next end of any reasoning. */
import type { ScanOptions } from './scan-state.js';
import { tokenAt } from './token.js';

export interface ReasoningEnd {
  readonly start: number;
  readonly end: number;
}

const TAG = /<\/(?:\w+:)?(?:think|thinking|thought|thoughts|reason|reasoning|scratchpad|reasoning_scratchpad)>/iy;

/** The first end of reasoning between two offsets, whichever of the table's spellings it has. */
export function reasoningEnd(
  { text, options }: { readonly text: string; readonly options: ScanOptions },
  from: number,
  to = text.length,
): ReasoningEnd | undefined {
  MAY_BEGIN.lastIndex = from;
  for (let match = MAY_BEGIN.exec(text); match !== null && match.index < to; match = MAY_BEGIN.exec(text)) {
    const start = match.index;
    TAG.lastIndex = start;
    if (TAG.test(text)) return { start, end: TAG.lastIndex };
    const token = tokenAt(text, start, options.table, options.lookup);
    if (token?.role === 'reasoning-end') return { start, end: token.end };
  }
  return undefined;
}

/** What ends reasoning begins with one of these; a bracket only before a slash, which keeps lists cheap. */
const MAY_BEGIN = /[<◁]|\[\//g;
