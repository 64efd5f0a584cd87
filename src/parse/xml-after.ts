/** Whether a call in tags may have ended too early: an end tag of its arguments comes once more behind it. */
import type { NextTag, Reading } from './xml-value.js';

/**
 * An end tag of an argument behind the end of the call, though nothing opened it: the last value may go on up to there.
 * When a value was left open, or something in it, tags in pairs in between do not tell otherwise: they may belong to it too.
 */
export function closesLater(r: Reading): boolean {
  if (r.cut === 'value' || r.valueTags.size === 0) return false;
  let next = nextTag(r, r.pos);
  for (let depth = 0; r.open && next.at >= 0 && next.at < r.text.length; next = nextTag(r, next.end)) {
    depth += next.closing ? -1 : 1;
    if (depth < 0) break;
  }
  return next.closing ? endsAgain(r, next) : next.at < 0;
}

function endsAgain(r: Reading, next: NextTag): boolean {
  const behind = r.text.slice(next.end, next.end + 200).trimStart();
  if (behind !== '' && !behind.startsWith('<')) return false;
  // A stray end tag between end tags is a slip, unless the call goes on behind it or ends a second time.
  const endTags = END_TAGS.exec(behind)?.[0] ?? '';
  const slip =
    behind === '' || (endTags !== '' && !new RegExp(`</(?:[\\w.-]+:)?${escaped(r.owner)}\\b`, 'i').test(endTags));
  const between = r.text.slice(r.pos, next.at).trimEnd();
  return !slip || END_TAGS.exec(between)?.[0] !== between;
}

const END_TAGS = /^(?:\s*<\/[^<>]{1,80}>)*/;

/** What a look costs besides the characters that it passes. */
const LOOK = 32;

const UNREAD: NextTag = { at: -1, end: -1, closing: false };

/** The next tag from `pos` on of a name that the arguments had. `at` is negative where that would cost too much. */
function nextTag({ text, ahead, valueTags }: Reading, pos: number): NextTag {
  const names = [...valueTags].map(escaped).join('|');
  const known = ahead.next.get(names);
  // Calls are read in the order of the text.
  if (known !== undefined && known.at >= pos) return known;
  if (ahead.far <= 0) return UNREAD;
  const tags = new RegExp(`<(/?)(?:[\\w.-]{1,40}:)?(?:${names})(?=[\\s=>])[^<>]{0,400}>`, 'gi');
  tags.lastIndex = pos;
  const match = tags.exec(text);
  const at = match?.index ?? text.length;
  const found = { at, end: match === null ? at : tags.lastIndex, closing: match?.[1] === '/' };
  ahead.far -= at - pos + LOOK;
  ahead.next.set(names, found);
  return found;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
