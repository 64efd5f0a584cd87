/** A value among the choices that a schema lists. A near-miss of one choice is that choice. */
import { canonicalJson, type Json } from '../domain/json.js';
import { changed, type FitTrail, wrong } from './fit-trail.js';
import { onlyClose, withoutAccents } from './similar.js';

/** A number in any common spelling. */
export const NUMERIC = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** A choice without spelling habits; sign and point of a number mean something. */
const plainWord = (text: string): string =>
  NUMERIC.test(text.trim())
    ? String(Number(text))
    : withoutAccents(text)
        .trim()
        .toLowerCase()
        .replace(/[\s_\-./]+/g, '');

export function chosen(value: Json, choices: readonly Json[], trail: FitTrail, path: string): Json {
  if (choices.some((choice) => choice === value)) return value;
  if (Array.isArray(value) && !choices.some((choice) => Array.isArray(choice))) return value;
  if (typeof value === 'object' && value !== null) {
    const same = choices.some((choice) => canonicalJson(choice) === canonicalJson(value));
    return same ? value : wrong(trail, path, `one of ${shownChoices(choices)}`, value);
  }
  const word = plainWord(String(value));
  const alike = choices.filter((choice) => plainWord(String(choice)) === word);
  if (alike.length === 1) return changed(trail, path, `"${value}" to the choice "${alike[0]}"`, alike[0] as Json);
  const words = choices.filter((choice): choice is string => typeof choice === 'string');
  const close = word.length >= 4 ? onlyClose(word, words.map(plainWord), word.length >= 8 ? 2 : 1) : undefined;
  const meant = words.find((choice) => plainWord(choice) === close);
  if (close !== undefined && meant !== undefined)
    return changed(trail, path, `"${value}" to the choice "${meant}"`, meant);
  const labelled = words.length === choices.length ? labelledChoice(String(value), words) : undefined;
  if (labelled !== undefined) return changed(trail, path, `"${value}" to the choice "${labelled}"`, labelled);
  return wrong(trail, path, `one of ${shownChoices(choices)}`, value);
}

const shownChoices = (choices: readonly Json[]): string =>
  choices
    .slice(0, 12)
    .map((choice) => JSON.stringify(choice))
    .join(', ');

/** `fast: for short texts`, `**fast**`: a choice in marks, or with its description, where no other choice is named. */
function labelledChoice(text: string, choices: readonly string[]): string | undefined {
  const bare = text.trim().replace(/^(["'`*_]{1,3})(.*)\1$/su, '$2');
  const [head = '', ...rest] = bare.split(/\s*[:：(（]\s*|\s+[-–—]\s+/);
  const word = plainWord(head);
  const alike = choices.filter((choice) => plainWord(choice) === word);
  if (word.length < 2 || alike.length !== 1) return undefined;
  const behind = plainWord(rest.join(' '));
  const others = choices.filter((choice) => choice !== alike[0] && behind.includes(plainWord(choice)));
  return others.length === 0 && !/\b(?:not|no|never|n't)\b|不|非|无|没/iu.test(rest.join(' ')) ? alike[0] : undefined;
}
