/**
 * A reply that arrives in pieces. Events give a provisional view at once; the result at the end is that of
 * `parseReply` over the whole text, and so the same for every way of cutting it.
 */
import { createLive, type ReplyEvent } from './live.js';
import { MARKERS } from './markers.js';
import { parseReply, type Reply, type ReplyInput } from './reply.js';

export type { ReplyEvent } from './live.js';

export type ReplyStreamOptions = Omit<ReplyInput, 'text' | 'finishReason'>;

export interface ReplyStream {
  /** Takes the next piece of the text. Anything that is no text is ignored. */
  push(chunk: string): ReplyEvent[];
  /** @param finishReason why the model stopped; without it, calls that lack their closers are not run */
  end(finishReason?: string): Reply;
}

/** Pieces are joined in batches, so that many tiny ones do not cost more memory than the text. */
const BATCH = 1024;

export function createReplyStream(options: ReplyStreamOptions): ReplyStream {
  const live = createLive(options.markers ?? MARKERS, options.promptOpenedReasoning === true);
  const batches: string[] = [];
  let pieces: string[] = [];
  return {
    push(chunk) {
      if (typeof chunk !== 'string' || chunk === '') return [];
      pieces.push(chunk);
      if (pieces.length >= BATCH) {
        batches.push(pieces.join(''));
        pieces = [];
      }
      return live.push(chunk);
    },
    end(finishReason) {
      const text = batches.join('') + pieces.join('');
      return parseReply({ ...options, text, ...(finishReason === undefined ? {} : { finishReason }) });
    },
  };
}
