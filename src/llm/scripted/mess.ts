/**
 * The forms in which real models deliver calls, orderly and disorderly. Each takes what is meant and changes nothing of
 * its meaning; where a value would be damaged by a form, the plain one is taken.
 */
import type { ReplyMessage } from './brain.js';
import type { Call } from './intent.js';

/** As the API wants it. */
export const nativeCalls = (calls: readonly Call[], turn: number): NonNullable<ReplyMessage['tool_calls']> =>
  calls.map((call, i) => ({
    id: `call_${turn}_${i}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));

export const native = (calls: readonly Call[], turn: number, text: string, thought: string): ReplyMessage => ({
  content: text === '' ? null : text,
  ...(thought !== '' && { reasoning_content: thought }),
  ...(calls.length > 0 && { tool_calls: nativeCalls(calls, turn) }),
});

const callJson = (call: Call): string => JSON.stringify({ name: call.name, arguments: call.arguments });

/** `<tool_call>` blocks. */
export const tagged = (calls: readonly Call[]): string =>
  calls.map((call) => `<tool_call>\n${callJson(call)}\n</tool_call>`).join('\n');

/** The same with single quotes, as Python prints it. Only where no value holds a quote or a backslash. */
export function singleQuoted(calls: readonly Call[]): string {
  const text = tagged(calls);
  return /['\\]/.test(text) ? text : text.replaceAll('"', "'");
}

export const fenced = (calls: readonly Call[]): string =>
  calls.map((call) => `\`\`\`json\n${callJson(call)}\n\`\`\``).join('\n');

/** XML parameters: text stands raw, everything else as JSON. */
export function xml(calls: readonly Call[], dialect: 'invoke' | 'function'): string {
  if (/[<>&]/.test(JSON.stringify(calls))) return tagged(calls);
  const value = (item: unknown) => (typeof item === 'string' ? item : JSON.stringify(item));
  const blocks = calls.map((call) => {
    const parameters = Object.entries(call.arguments);
    return dialect === 'invoke'
      ? `<invoke name="${call.name}">\n${parameters.map(([key, item]) => `<parameter name="${key}">${value(item)}</parameter>`).join('\n')}\n</invoke>`
      : `<function=${call.name}>\n${parameters.map(([key, item]) => `<parameter=${key}>\n${value(item)}\n</parameter>`).join('\n')}\n</function>`;
  });
  const [open, close] =
    dialect === 'invoke' ? ['<function_calls>', '</function_calls>'] : ['<tool_call>', '</tool_call>'];
  return `${open}\n${blocks.join('\n')}\n${close}`;
}

/** Thoughts in front, in tags. */
export const thinking = (thought: string, rest: string): string => `<think>\n${thought}\n</think>\n\n${rest}`;

/** `profile_table` as `profileTable` or `profile-table`. */
export const misspelt = (calls: readonly Call[], how: 'camel' | 'hyphen'): Call[] =>
  calls.map((call) => ({
    ...call,
    name:
      how === 'hyphen'
        ? call.name.replaceAll('_', '-')
        : call.name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  }));

/** Cut off within a value, as at the output limit. */
export const truncated = (text: string): string => {
  const inValue = text.lastIndexOf('":');
  return text.slice(0, Math.max(20, inValue > 0 ? inValue + 4 : Math.floor(text.length * 0.6)));
};
