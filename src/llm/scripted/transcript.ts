/** What a prompt tells the rule-based model: the goal, what was called, what came back, what is left. */

import type { ChatMessage } from '../../domain/chat.js';
import { type Fields, isFields } from '../../domain/fields.js';
import { isChinese } from '../../domain/language.js';

export interface SeenResult {
  readonly name: string;
  /** Empty when the call stood in the text of a reply. */
  readonly arguments: Fields;
  /** The JSON of the result, or its text. */
  readonly value: unknown;
}

export interface Seen {
  readonly goal: string;
  readonly context: string;
  readonly files: readonly string[];
  readonly results: readonly SeenResult[];
  /** Replies of the model that the prompt holds. */
  readonly turns: number;
  /** Rounds left, when the prompt says. */
  readonly roundsLeft: number | undefined;
  /** Calls will not be run any more. */
  readonly isLastCall: boolean;
  readonly isChinese: boolean;
}

export function readPrompt(messages: readonly ChatMessage[]): Seen {
  const opening = textOf(messages.find(({ role }) => role === 'user'));
  const standing = textOf(messages.findLast(({ role }) => role === 'user'));
  const tail = messages.slice(-2).map(textOf).join('\n');
  const { goal, context, files } = readGoal(opening);
  const rounds = /\bLeft: (\d+) rounds?/.exec(standing) ?? /\bLeft: (\d+) rounds?/.exec(tail);
  return {
    goal,
    context,
    files,
    results: readResults(messages),
    turns: messages.filter(({ role }) => role === 'assistant').length,
    roundsLeft: rounds === null ? undefined : Number(rounds[1]),
    isLastCall: tail.includes('This is your last call'),
    isChinese: isChinese(goal),
  };
}

const textOf = (message: ChatMessage | undefined): string => message?.content ?? '';

/** Names with blanks, commas or quotes in them are quoted. */
const fileName = /"(?:[^"\\]|\\.)*"|[^,\s"]+/g;

const unquoted = (name: string): string => {
  try {
    return name.startsWith('"') ? String(JSON.parse(name)) : name;
  } catch {
    return name;
  }
};

/** `Goal: …`, then perhaps `Files: …` and `Context:` as paragraphs of their own. Other text is a goal as it stands. */
function readGoal(text: string): Pick<Seen, 'goal' | 'context' | 'files'> {
  const body = text.startsWith('Goal: ') ? text.slice(6) : text;
  const filesAt = body.indexOf('\n\nFiles: ');
  const contextAt = body.indexOf('\n\nContext:\n');
  const schemaAt = body.lastIndexOf('\n\nThe result given to `finish`');
  const ends = [filesAt, contextAt, schemaAt].filter((at) => at >= 0);
  const upTo = (from: number) => Math.min(body.length, ...ends.filter((at) => at > from));
  const files = filesAt < 0 ? '' : body.slice(filesAt + 9, upTo(filesAt)).trim();
  return {
    goal: body.slice(0, upTo(-1)).trim(),
    context: contextAt < 0 ? '' : body.slice(contextAt + 11, upTo(contextAt)).trim(),
    files: [...files.matchAll(fileName)].map(([name]) => unquoted(name)),
  };
}

function readResults(messages: readonly ChatMessage[]): SeenResult[] {
  const calls = new Map<string, { name: string; arguments: Fields }>();
  const results: SeenResult[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const { id, function: made } of message.tool_calls ?? []) {
        calls.set(id, { name: made.name, arguments: fieldsIn(made.arguments) });
      }
    } else if (message.role === 'tool') {
      const call = calls.get(message.tool_call_id);
      if (call !== undefined) results.push({ ...call, value: jsonOrText(message.content) });
    } else if (message.role === 'user' && message.content.startsWith('Results of your calls')) {
      results.push(...textResults(message.content));
    }
  }
  return results.map((result) => ({ ...result, name: plainName(result.name) }));
}

/** `[r1c1] profile_table: {…}`, one on each line. */
function textResults(text: string): SeenResult[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\[r\d+c\d+\] ([\w-]+): (.*)$/.exec(line);
    return match === null ? [] : [{ name: match[1] ?? '', arguments: {}, value: jsonOrText(match[2] ?? '') }];
  });
}

/** The rule-based model misspells names at times: here it knows its own hand. */
export const plainName = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

const fieldsIn = (text: string): Fields => {
  const value = jsonOrText(text);
  return isFields(value) ? value : {};
};

export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
