/** White space and comments between the parts of a JSON text. */
import { isOddSpace, isSpace } from './json-char.js';

/** What skipping needs of the walk. */
export interface SpaceWalk {
  readonly text: string;
  readonly end: number;
  pos: number;
  edit(at: number, remove: number, insert: string, rule: string): void;
}

/** `\\n` as two characters, with structure behind it. */
const WRITTEN_SPACE = /^\\[nrt](?:$|[\s\\"'{}[\],:\d-])/;

export function skipSpace(walk: SpaceWalk): void {
  for (; walk.pos < walk.end; walk.pos++) {
    const code = walk.text.charCodeAt(walk.pos);
    if (isSpace(code)) continue;
    if (isOddSpace(code)) walk.edit(walk.pos, 1, ' ', 'odd white space');
    else if (code === 92 && WRITTEN_SPACE.test(walk.text.slice(walk.pos, walk.pos + 3)))
      walk.edit(walk.pos++, 2, ' ', 'escaped white space outside of text');
    else if (!skipComment(walk, code)) return;
  }
}

/** Skips a comment; leaves `pos` on its last character. */
function skipComment(walk: SpaceWalk, code: number): boolean {
  if (code !== 47 && code !== 35 && code !== 60) return false;
  const { text, pos, end } = walk;
  let stop: number;
  if (code === 47 && text[pos + 1] === '*') stop = after(text, '*/', pos + 2, end);
  else if ((code === 47 && text[pos + 1] === '/') || code === 35) stop = after(text, '\n', pos, end) - 1;
  else if (code === 60 && text.startsWith('<!--', pos)) stop = after(text, '-->', pos + 4, end);
  else return false;
  stop = Math.max(stop, pos + 1);
  walk.edit(pos, stop - pos, ' ', 'comment taken out');
  walk.pos = stop - 1;
  return true;
}

function after(text: string, mark: string, from: number, end: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 || at > end ? end : at + mark.length;
}
