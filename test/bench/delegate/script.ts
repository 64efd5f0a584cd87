/** The model port with a script behind it: it answers at once, in this process, so that nothing but the product is measured. */
import type { AssistantMessage, ChatMessage } from '../../../src/domain/chat.js';
import type { Json } from '../../../src/domain/json.js';
import type { Model, ModelRequest } from '../../../src/llm/model.js';
import type { Tokenizer } from '../../../src/llm/tokens.js';

export type Said = string | readonly { readonly name: string; readonly arguments: Json }[];

/** @param tokenizer the one that real models have: what counting costs is part of a step. */
export function scripted(tokenizer: Tokenizer, say: (request: ModelRequest) => Said | Promise<Said>): Model {
  return {
    ...tokenizer,
    name: 'scripted',
    windowTokens: 128_000,
    maxOutputTokens: 1_000,
    priceKnown: true,
    costUsd: () => 0,
    async call(request) {
      const said = await say(request);
      const message = messageOf(said);
      const inputTokens = request.promptTokens ?? 0;
      const outputTokens = tokenizer.countMessage(message);
      return {
        ok: true,
        message,
        finishReason: typeof said === 'string' ? 'stop' : 'tool_calls',
        usage: { inputTokens, outputTokens, costUsd: 0, countedInputTokens: inputTokens, estimated: false },
        model: 'scripted',
        provider: 'scripted',
        attempts: 1,
        fallbacks: 0,
        ms: 0,
      };
    },
  };
}

function messageOf(said: Said): AssistantMessage {
  if (typeof said === 'string') return { role: 'assistant', content: said };
  const calls = said.map(({ name, arguments: args }, index) => ({
    id: `call_${index + 1}`,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role: 'assistant', content: null, tool_calls: calls };
}

/** What the tools and subtasks of the last round gave, in their order. */
export function lastResults(messages: readonly ChatMessage[]): string[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? [message.content] : []));
}

export const goalOf = ({ messages }: ModelRequest): string =>
  messages.flatMap(({ content }) => /^Goal: (.*)/.exec(content ?? '')?.[1] ?? [])[0] ?? '';
