/** Chat messages in the form of the OpenAI chat completions API, the lingua franca between prompt, model and pipeline. */
import { z } from 'zod';

export const chatToolCallSchema = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

/**
 * A message of a prompt. An assistant message may carry further fields of its provider (signed reasoning, ids);
 * they go back to the model unchanged.
 */
export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'tool'; tool_call_id: string; content: string }
  | AssistantMessage;

/** What a model answered: content, native tool calls, and whatever else the provider put there. */
export interface AssistantMessage {
  role: 'assistant';
  content: string | null;
  tool_calls?: z.infer<typeof chatToolCallSchema>[];
  [extra: string]: unknown;
}
