/** A brain that recites: for each conversation a queue of replies and faults, for tests and scenarios. */
import { z } from 'zod';
import type { Answer, Asked, Brain, Fault, Reply } from './brain.js';

const faultSchema = z.object({
  /** `http_500`, `http_429`…, `reset`, `cut`, `stall` or `garbage`. */
  kind: z.string(),
  /** Only requests to this provider fail. */
  provider: z.string().optional(),
  times: z.number().int().positive().default(1),
  retry_after: z.number().nonnegative().optional(),
});

const replySchema = z
  .object({
    text: z.string().optional(),
    message: z.looseObject({ content: z.string().nullish() }).optional(),
    finish_reason: z.string().default('stop'),
    /** Not meant to be used by the agent, so that it is not given again at the same place. Default: when it is cut. */
    once: z.boolean().optional(),
    usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).optional(),
  })
  .refine(({ text, message }) => text !== undefined || message !== undefined, 'expected `text`, `message` or `fault`');

/** A fault fails the next reply so many times before it is served. */
const entrySchema = z.union([z.object({ fault: faultSchema }), replySchema]);
const queueSchema = z.array(entrySchema);

export const scriptSchema = z.object({
  main: queueSchema.optional(),
  planner: queueSchema.optional(),
  executors: z.array(z.object({ when: z.object({ task_includes: z.string() }), steps: queueSchema })).default([]),
});
export type Script = z.input<typeof scriptSchema>;
type Entry = z.infer<typeof entrySchema>;

type ScriptedReply = z.infer<typeof replySchema>;

interface Place {
  readonly queue: readonly Entry[];
  /** Replies given and not to be given again. */
  readonly spent: Set<Entry>;
  readonly failed: Map<Entry, number>;
}

/**
 * A conversation gets the first executor queue whose words stand in its opening messages, else `main` or `planner`.
 *
 * The reply is chosen by how many assistant turns the prompt holds, so that a call made again because its host died
 * gets the same reply. Replies that an agent cannot use do not show up in its next prompt: they come once, right
 * before the reply that follows them.
 */
export function scriptBrain(script: Script): Brain {
  const { executors, main, planner } = scriptSchema.parse(script);
  const places = new Map<string, Place>();

  const placeOf = (asked: Asked): Place => {
    let place = places.get(asked.conversation);
    if (place === undefined) {
      const opening = asked.messages
        .slice(0, 2)
        .map(({ content }) => content ?? '')
        .join('\n');
      const own = executors.find(({ when }) => opening.includes(when.task_includes));
      place = { queue: own?.steps ?? main ?? planner ?? [], spent: new Set(), failed: new Map() };
      places.set(asked.conversation, place);
    }
    return place;
  };

  return (asked) => {
    const place = placeOf(asked);
    const reply = nextReply(place, asked.messages.filter(({ role }) => role === 'assistant').length);
    if (reply === undefined) return failing({ kind: 'status', status: 410 });
    const fault = dueFault(place, reply, asked.provider);
    if (fault !== undefined) return failing(faultOf(fault, replyOf(reply)));
    if (isOnce(reply)) place.spent.add(reply);
    return replyOf(reply);
  };
}

const isReply = (entry: Entry): entry is ScriptedReply => !('fault' in entry);
const isOnce = ({ once, finish_reason: reason }: ScriptedReply): boolean => once ?? reason === 'length';

function nextReply({ queue, spent }: Place, turns: number): ScriptedReply | undefined {
  let passed = 0;
  for (const reply of queue.filter(isReply)) {
    if (isOnce(reply)) {
      if (passed === turns && !spent.has(reply)) return reply;
    } else if (passed++ === turns) return reply;
  }
  return undefined;
}

const failing = (fault: Fault): Answer => ({ kind: 'fault', fault });

/** The fault that stands right before this reply and has not happened often enough. */
function dueFault({ queue, failed }: Place, reply: Entry, provider: string) {
  for (let i = queue.indexOf(reply) - 1; i >= 0; i--) {
    const entry = queue[i];
    if (entry === undefined || !('fault' in entry)) return undefined;
    const times = failed.get(entry) ?? 0;
    if (times >= entry.fault.times || (entry.fault.provider ?? provider) !== provider) continue;
    failed.set(entry, times + 1);
    return entry.fault;
  }
  return undefined;
}

function replyOf({ text, message, finish_reason: finishReason, usage }: ScriptedReply): Reply {
  const { role: _, ...fields } = (message ?? {}) as Record<string, unknown>;
  return {
    kind: 'reply',
    message: { content: text ?? null, ...fields },
    finishReason,
    ...(usage && { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } }),
  };
}

function faultOf({ kind, retry_after: wait }: z.infer<typeof faultSchema>, reply: Reply): Fault {
  const status = /^http_(\d{3})$/.exec(kind)?.[1];
  if (status !== undefined) {
    return { kind: 'status', status: Number(status), ...(wait !== undefined && { retryAfterSeconds: wait }) };
  }
  if (kind === 'cut' || kind === 'stall') return { kind, reply };
  if (kind === 'garbage') return { kind, contentType: 'text/html', body: '<html><body>Bad gateway</body></html>' };
  return { kind: 'reset' };
}
