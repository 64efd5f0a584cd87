/** Tells a reply that meant a call nobody could read from one that merely speaks of tools. */

import { MARKERS } from '../markers.js';
import type { ParseTool } from '../name.js';
import type { RejectedCall, Reply } from '../reply.js';
import { isObject, properties, required } from '../schema.js';
import { CUE_MATCHERS } from '../wording/cue.js';
import { leadIn } from '../wording/lead.js';

/** What stands between a parameter's name and its value in any layout. */
const SEPARATES = /^[\s"'`*\])}|]{0,3}(?:[:=>"'`|\]→⇒~：＝]|->|=>|[<[]\/?[\p{L}_])/u;
/** How far from the tool's name its parameters may stand. */
const REACH = 600;

/** The tool that an unread call in this text is meant for; undefined when there is none. `said`: without reasoning and quotes. */
export function unreadCall(said: string, tools: readonly ParseTool[]): ParseTool | undefined {
  if (!tools.some(({ name }) => said.includes(name))) return undefined;
  const text = withoutShown(said);
  return tools.find((tool) => placesOf(text, tool.name).some((at) => isCallLike(text, at, tool)));
}

/** Without code of other languages and rows of tables: they show something to the reader. */
const withoutShown = (said: string): string =>
  said
    .replace(/```([\w-]+)[^\n]*\n[^`]*(?:```|$)/g, (block, language: string) =>
      MARKERS.fences.includes(language.toLowerCase()) ? block : '\n',
    )
    .replace(/^[ \t]*\|[^\n]*\|[ \t]*$/gm, '');

/** A tool that is described, not called. */
const DESCRIBES = /"properties"\s*:/;

/** Whether a reply without calls holds what was to be one. */
export function isUnparsed(reply: Reply, said: string, tools: readonly ParseTool[]): boolean {
  if (reply.calls.length > 0 || reply.superseded.length > 0) return false;
  if (reply.rejected.some(isRead) || reply.incomplete.some(({ reason }) => reason.includes('cut off'))) return false;
  return unreadCall(said, tools) !== undefined;
}

/** Seen and refused. Only a name without arguments, where arguments stand in the text, is half read. */
const isRead = ({ failure, arguments: args }: RejectedCall): boolean =>
  failure !== 'invalid_arguments' || Object.keys(args ?? {}).length > 0;

const PLACES_MAX = 8;

function placesOf(text: string, name: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at >= 0 && places.length < PLACES_MAX; at = text.indexOf(name, at + name.length)) {
    const beside = /[\p{L}\p{N}_]/u;
    if (!beside.test(text[at - 1] ?? ' ') && !beside.test(text[at + name.length] ?? ' ')) places.push(at);
  }
  return places;
}

/** Begins its line, or stands behind a mark that prose has no use for. */
const OPENS = /(?:^|\n)\s*["'`]?$|[^\p{L}\p{N}\s.,!?'"’()，。！？（）“”-][\p{L}\p{N}\s_="':.-]{0,32}$/u;

function isCallLike(text: string, at: number, tool: ParseTool): boolean {
  if (!OPENS.test(text.slice(Math.max(0, at - 48), at))) return false;
  const lead = leadIn(text.slice(Math.max(0, at - 240), lineAt(text, at)));
  if (CUE_MATCHERS.example.test(lead) || CUE_MATCHERS.retold.test(lead) || CUE_MATCHERS.refused.test(lead))
    return false;
  const schema = isObject(tool.parameters) ? tool.parameters : {};
  const names = Object.keys(properties(schema));
  const wanted = required(schema).length > 0 ? required(schema) : names;
  const after = text.slice(at + tool.name.length, at + REACH);
  const near = text.slice(Math.max(0, at - 200), at) + after;
  if (DESCRIBES.test(near)) return false;
  if (names.length === 0)
    return /^[^\p{L}\p{N}]{0,3}[<>[\]{}()|@#«»⟦⟧]/u.test(after) && /[<[{(|@#«⟦:=]\s*$/.test(text.slice(0, at));
  return wanted.length > 0 && wanted.every((name) => namesValue(near, name));
}

const lineAt = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function namesValue(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (/[\p{L}\p{N}_]/u.test(text[at - 1] ?? ' ')) continue;
    if (SEPARATES.test(text.slice(at + name.length, at + name.length + 8))) return true;
  }
  return false;
}
