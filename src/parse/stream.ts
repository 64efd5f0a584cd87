/**
 * A reply that arrives in pieces. Events give a provisional view at once; the result at the end is that of
 * `parseReply` over the whole text, and so the same for every way of cutting it.
 */
import { createLive, type ReplyEvent } from './live.js';
import { MARKERS } from './markers.js';
import { parseReply, type Reply, type ReplyInput } from './reply.js';
import { TextBuilder } from './text-builder.js';

export type { ReplyEvent } from './live.js';

export type ReplyStreamOptions = Omit<ReplyInput, 'text' | 'finishReason'>;

export interface ReplyStream {
  /** Takes the next piece of the text. Anything that is no text is ignored. */
  push(chunk: string): ReplyEvent[];
  /** @param finishReason why the model stopped; without it, calls that lack their closers are not run */
  end(finishReason?: string): Reply;
}

export function createReplyStream(options: ReplyStreamOptions): ReplyStream {
  const live = createLive(options.markers ?? MARKERS, options.promptOpenedReasoning === true);
  const text = new TextBuilder();
  return {
    push(chunk) {
      if (typeof chunk !== 'string' || chunk === '') return [];
      text.add(chunk);
      return live.push(chunk);
    },
    end(finishReason) {
      return parseReply({
        ...options,
        text: text.toString(),
        ...(finishReason === undefined ? {} : { finishReason }),
      });
    },
  };
}
