/** One attempt at a call: the tool's own promise against the clock and the cancel signal. Whoever comes late is not heard. */
import type { Clock } from '../domain/clock.js';
import type { Failure } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';
import type { Tool, ToolContext } from './tool.js';
import { understood } from './tool-failure.js';

export type Attempt =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly retryable: boolean }
  | { readonly kind: 'timeout' }
  /** `begun`: the tool had started. */
  | { readonly kind: 'cancelled'; readonly begun: boolean };

interface Surroundings {
  readonly timing: Pick<Clock, 'after'>;
  readonly signal: AbortSignal;
  progress?(text: string): void;
  warn?(message: string, details: JsonObject): void;
}

export function attempt(
  tool: Tool,
  args: JsonObject,
  context: Omit<ToolContext, 'signal' | 'progress'>,
  around: Surroundings,
): Promise<Attempt> {
  const { signal, timing } = around;
  if (signal.aborted) return Promise.resolve({ kind: 'cancelled', begun: false });
  return new Promise((resolve) => {
    const stop = new AbortController();
    let over = false;
    const end = (outcome: Attempt): void => {
      if (over) return;
      over = true;
      stopClock();
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const cut = (outcome: Attempt, reason: 'TimeoutError' | 'AbortError'): void => {
      end(outcome);
      stop.abort(new DOMException(`stopped: ${outcome.kind}`, reason));
    };
    const cancel = (): void => cut({ kind: 'cancelled', begun: true }, 'AbortError');
    const stopClock = timing.after(tool.timeoutMs, () => cut({ kind: 'timeout' }, 'TimeoutError'));
    signal.addEventListener('abort', cancel);
    const toolContext: ToolContext = {
      ...context,
      // Made when it is asked for: most tools never look at it.
      get signal() {
        return stop.signal;
      },
      progress: (text) => {
        if (!over) around.progress?.(String(text).slice(0, 500));
      },
    };
    void started(tool, args, toolContext).then((outcome) => {
      if (over) warnOfLate(outcome, tool, context.callId, around);
      end(outcome);
    });
  });
}

function warnOfLate({ kind }: Attempt, tool: Tool, callId: string, around: Surroundings): void {
  around.warn?.('a late result was dropped', { callId, tool: tool.declaration.name, kind });
}

/** Runs the tool's code; whatever it throws, now or later, is a value. */
async function started(tool: Tool, args: JsonObject, context: ToolContext): Promise<Attempt> {
  try {
    if (tool.behaviour.route !== 'tool') throw new Error(`${tool.declaration.name} does not run`);
    return { kind: 'value', value: await tool.behaviour.run(args, context) };
  } catch (thrown) {
    const { failure, retryable } = understood(thrown, tool.declaration.name);
    return { kind: 'failed', failure, retryable };
  }
}
