/** The assistant message as it goes back to the model: unchanged but for what a server would refuse. */
import type { PlannedCall } from '../src/domain/call.js';
import type { AssistantMessage } from '../src/domain/chat.js';

/** Native calls get the ids under which they are answered, and arguments that are JSON whatever the model wrote. */
export function sendable(message: AssistantMessage, calls: readonly PlannedCall[]): AssistantMessage {
  if (message.tool_calls === undefined || message.tool_calls.length === 0) return message;
  const tool_calls = message.tool_calls.map((call) => {
    const planned = calls.find((item) => item.modelCallId === call.id);
    const valid = isJson(call.function.arguments);
    if (valid) return call;
    return { ...call, function: { ...call.function, arguments: JSON.stringify(planned?.arguments ?? {}) } };
  });
  return { ...message, tool_calls };
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
