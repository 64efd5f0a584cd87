/** Texts in which nothing is hidden: what a person approves must be what they see. */

/** Ranges of characters that are invisible, or that reorder others: controls, joiners, marks of direction, tags. */
const hiding = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x180b, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe01ef],
];

/** The text with such characters as `\u{…}`. Tab and line feed stay. @param {string} text */
export function visible(text) {
  let shown = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const hides =
      hiding.some(([first = 0, last = 0]) => code >= first && code <= last) || (code >= 0xd800 && code <= 0xdfff);
    shown += hides ? `\\u{${code.toString(16)}}` : character;
  }
  return shown;
}
