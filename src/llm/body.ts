/** The body of a chat completion request, as text. */
import type { ToolDeclaration } from '../domain/tool.js';
import type { ModelRequest } from './model.js';
import type { ProviderOptions, Quirks } from './provider.js';

const wireForms = new WeakMap<readonly ToolDeclaration[], string>();

/** The tools in the API's form, as JSON text. Agents send the same tools on every round, so that it is kept by identity. */
export function wireTools(tools: readonly ToolDeclaration[]): string {
  let text = wireForms.get(tools);
  if (text === undefined) {
    text = JSON.stringify(
      tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    );
    wireForms.set(tools, text);
  }
  return text;
}

export function requestBody(request: ModelRequest, provider: ProviderOptions, quirks: Quirks): string {
  const settings = {
    model: provider.model,
    messages: request.messages,
    [quirks.outputLimitField]: Math.min(request.maxOutputTokens, provider.maxOutputTokens),
    temperature: quirks.sendsTemperature ? request.temperature : undefined,
    reasoning_effort: provider.reasoningEffort,
    stream: provider.stream,
    stream_options: provider.stream && quirks.streamUsage ? { include_usage: true } : undefined,
  };
  const text = JSON.stringify(settings);
  return request.tools.length === 0 ? text : `${text.slice(0, -1)},"tools":${wireTools(request.tools)}}`;
}
