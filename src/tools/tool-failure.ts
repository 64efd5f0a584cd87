/** What a tool throws to say what went wrong; anything else it throws is understood as best as possible. */
import { type Failure, FailureError, isRetryable } from '../domain/failure.js';

/** A failure with the tool's own word on whether a repeat may succeed. */
export class ToolFailure extends FailureError {
  readonly retryable: boolean;
  constructor(failure: Failure, retryable: boolean) {
    super(failure);
    this.name = 'ToolFailure';
    this.retryable = retryable;
  }
}

/** `throw toolFailure({ message: 'no such order', kind: 'not_found', hint: 'list_orders shows them' })`. Kind: `tool_failed` when absent. */
export function toolFailure(
  said: Pick<Failure, 'message'> & Partial<Failure> & { readonly retryable?: boolean },
): ToolFailure {
  const { retryable, ...rest } = said;
  const failure: Failure = { ...rest, kind: said.kind ?? 'tool_failed' };
  return new ToolFailure(failure, retryable ?? isRetryable(failure));
}

/** Longest message of a foreign error that is passed on. */
const messageChars = 1000;

/** Understands whatever was thrown, hostile objects included. Never throws. */
export function understood(thrown: unknown, tool: string): ToolFailure {
  if (thrown instanceof ToolFailure) return thrown;
  if (thrown instanceof FailureError) return new ToolFailure(thrown.failure, isRetryable(thrown.failure));
  return toolFailure({ message: `${tool} failed: ${wordsOf(thrown)}` });
}

function wordsOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) {
      const code = (thrown as NodeJS.ErrnoException).code;
      const text = `${thrown.message}` || thrown.name;
      return cut(typeof code === 'string' && !text.includes(code) ? `${code}: ${text}` : text);
    }
    if (thrown === undefined) return 'it threw nothing that says why';
    if (typeof thrown === 'object') return cut(JSON.stringify(thrown) ?? 'an object');
    return cut(String(thrown));
  } catch {
    return 'it threw something that cannot be read';
  }
}

const cut = (text: string): string => (text.length > messageChars ? `${text.slice(0, messageChars)}…` : text);
