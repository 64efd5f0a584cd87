/** What texts have in common at their ends. */

export function commonPrefix(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const text of others) {
    let i = 0;
    while (i < length && i < text.length && text[i] === first[i]) i += 1;
    length = i;
  }
  return first.slice(0, length);
}

export function commonSuffix(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const text of others) {
    let i = 0;
    while (i < length && i < text.length && text[text.length - 1 - i] === first[first.length - 1 - i]) i += 1;
    length = i;
  }
  return first.slice(first.length - length);
}

/** The opening marker in what stands before: the last line, or from the first character on that is no prose. */
export function openerIn(common: string): string {
  const near = common.slice(-120);
  const marked = near.search(/[^\p{L}\p{N}\s.,!?'"’:;，。！？：；、-]/u);
  const start = marked < 0 ? near.lastIndexOf('\n', near.trimEnd().length - 1) + 1 : wordStart(near, marked);
  return near.slice(start).trimStart();
}

/** A word that the marker's first character is stuck to belongs to it. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (
    start > 0 &&
    /[\p{L}\p{N}_]/u.test(text[start - 1] as string) &&
    !/\p{Script=Han}/u.test(text[start - 1] as string)
  )
    start -= 1;
  return start;
}

/** The closing marker in what stands behind: up to the end of its line, or to the last mark before a blank one. */
export function closerIn(common: string): string {
  const trimmed = common.trimEnd().slice(0, 120);
  const blank = trimmed.indexOf('\n\n');
  return blank < 0 ? trimmed : trimmed.slice(0, blank).trimEnd();
}

/** Long and odd enough to be looked for in any text. */
export const isDistinct = (text: string): boolean => {
  const core = text.trim();
  return (
    core.length >= 2 &&
    core.length <= 48 &&
    !core.includes('$') &&
    /[^\p{L}\p{N}\s.,:;]/u.test(core) &&
    !/^[\s"'{}[\](),:;]+$/.test(core)
  );
};
