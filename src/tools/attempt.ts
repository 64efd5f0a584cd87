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
  readonly timing: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
  progress?(text: string): void;
  warn?(message: string, details: JsonObject): void;
}

export async function attempt(
  tool: Tool,
  args: JsonObject,
  context: Omit<ToolContext, 'signal' | 'progress'>,
  around: Surroundings,
): Promise<Attempt> {
  if (around.signal.aborted) return { kind: 'cancelled', begun: false };
  const stop = new AbortController();
  const over = new AbortController();
  const progress = (text: string): void => {
    if (!over.signal.aborted) around.progress?.(String(text).slice(0, 500));
  };
  const work = started(tool, args, { ...context, signal: stop.signal, progress });
  const first = await Promise.race([
    work,
    around.timing.sleep(tool.timeoutMs, over.signal).then((): Attempt => ({ kind: 'timeout' })),
    aborted(around.signal, over.signal),
  ]);
  over.abort();
  if (first.kind === 'timeout' || first.kind === 'cancelled') {
    stop.abort(new DOMException(`stopped: ${first.kind}`, first.kind === 'timeout' ? 'TimeoutError' : 'AbortError'));
    const { callId } = context;
    void work.then((late) =>
      around.warn?.('a late result was dropped', { callId, tool: tool.declaration.name, kind: late.kind }),
    );
  }
  return first;
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

/** Resolves when `signal` aborts; stops listening when `over` does. */
const aborted = (signal: AbortSignal, over: AbortSignal): Promise<Attempt> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'cancelled', begun: true }), { once: true, signal: over });
  });
