/** Characters with a meaning to the tolerant JSON reader, and what they stand for. */

/** Opening quote → the characters that may close it, the first being the proper one. */
export const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'’",
  '“': '”“"',
  '”': '”"',
  '„': '“”"',
  '‘': "’‘'",
  '’': "’'",
  '＂': '＂"',
  '＇': "＇'",
  '`': '`´',
  '´': "´'",
  '「': '」',
  '『': '』',
  '«': '»',
};

/** Nearly every character is told by its code; tables are for the few outside ASCII and the scripts. */
export function isQuote(char: string | undefined): boolean {
  if (char === undefined) return false;
  const code = char.charCodeAt(0);
  if (code < 128) return code === 34 || code === 39 || code === 96;
  return OTHER_QUOTES.has(code);
}

const OTHER_QUOTES = new Set(Object.keys(QUOTES).map((quote) => quote.charCodeAt(0)));

/** Whether the character is one of `closers`, at most three. No code is read past their end: that is slow. */
export const closes = (closers: string, code: number): boolean =>
  code === closers.charCodeAt(0) ||
  (closers.length > 1 && (code === closers.charCodeAt(1) || (closers.length > 2 && code === closers.charCodeAt(2))));

export const isComma = (char: string | undefined): boolean =>
  char === ',' || char === ';' || char === '，' || char === '、' || char === '；';
export const isColon = (char: string | undefined): boolean => char === ':' || char === '=' || char === '：';

/** Full-width brackets and their plain form. */
export const BRACKETS: Readonly<Record<string, string>> = {
  '｛': '{',
  '｝': '}',
  '［': '[',
  '］': ']',
  '（': '(',
  '）': ')',
};
export const plain = (char: string): string => (char.charCodeAt(0) < 0xff00 ? char : (BRACKETS[char] ?? char));

export const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Invisible or exotic white space that JSON does not know. */
export function isOddSpace(code: number): boolean {
  return (
    code === 0xfeff ||
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0x2060 ||
    code === 0x205f ||
    (code >= 0x2000 && code <= 0x200f) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x0b ||
    code === 0x0c
  );
}

/** Letters, digits, `_`, `$` and everything outside ASCII that is no punctuation: what a bare key may hold. */
export function isWord(code: number): boolean {
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36
    );
  }
  return (
    code > 0xbf &&
    !isOddSpace(code) &&
    !(code >= 0x2010 && code <= 0x2fff) &&
    !(code >= 0x3000 && code <= 0x303f) &&
    code < 0xff00
  );
}

/** Words that stand for a JSON literal in some language, in lower case. */
export const LITERALS: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  null: 'null',
  none: 'null',
  nil: 'null',
  undefined: 'null',
  nan: 'null',
};
