/** Redraws a block of lines in place on a terminal, without flicker and never taller than the screen. */
import type { Output } from './output.js';

export interface Live {
  /** Shows these lines instead of the former ones. */
  show(lines: readonly string[]): void;
  /** Leaves what is shown where it is and starts below it next time. */
  leave(): void;
  /** Takes away what is shown. */
  clear(): void;
}

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
const clearBelow = '\u001b[J';

export function liveOn(output: Output): Live {
  let height = 0;
  let shown = '';
  const up = () => (height === 0 ? '' : `\u001b[${height}A\r`);
  return {
    show(lines) {
      const room = Math.max(3, output.rows() - 1);
      const fitting = lines.length > room ? [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more`] : lines;
      const text = fitting.map((line) => `${line}\u001b[K\n`).join('');
      if (text === shown && height > 0) return;
      output.draw(`${hideCursor}${up()}${text}${clearBelow}${showCursor}`);
      height = fitting.length;
      shown = text;
    },
    leave() {
      height = 0;
      shown = '';
    },
    clear() {
      output.draw(`${up()}${clearBelow}`);
      height = 0;
      shown = '';
    },
  };
}
