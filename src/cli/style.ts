/** Colour, and how wide a text is on a terminal: East Asian characters and most emoji take two columns. */

export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const plain = (text: string): string => text;
const ansi = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;

export const styleFor = (color: boolean): Style => ({
  bold: color ? ansi(1, 22) : plain,
  dim: color ? ansi(2, 22) : plain,
  red: color ? ansi(31, 39) : plain,
  green: color ? ansi(32, 39) : plain,
  yellow: color ? ansi(33, 39) : plain,
  cyan: color ? ansi(36, 39) : plain,
});

/** Line breaks, tabs and control characters out of texts that models and files wrote: they must not draw on our screen. */
export const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out.
  text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();

export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

function columnsOfCharacter(character: string): number {
  if (/^\p{Mark}$/u.test(character) || character === '\u200d' || character === '\ufe0f') return 0;
  const code = character.codePointAt(0) ?? 0;
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf && code !== 0x303f) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}

/** At most so many columns; what is cut ends in `…`. Plain text only, no colours inside. */
export function clip(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let width = 0;
  let kept = '';
  for (const character of text) {
    width += columnsOfCharacter(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept}…`;
}

export const pad = (text: string, columns: number): string => {
  const fitted = clip(text, columns);
  return fitted + ' '.repeat(Math.max(0, columns - columnsOf(fitted)));
};

/** `812`, `31k`, `1.2M`. */
export function short(amount: number): string {
  if (amount < 1_000) return String(Math.round(amount));
  if (amount < 10_000) return `${(Math.floor(amount / 100) / 10).toString()}k`;
  if (amount < 1_000_000) return `${Math.floor(amount / 1_000)}k`;
  return `${(Math.floor(amount / 100_000) / 10).toString()}M`;
}

/** `5m`, `1h 30m`, `45s`. */
export function shortDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
