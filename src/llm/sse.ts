/** Reads server-sent events: bytes in, JSON values out. Linear in its input whatever the chunking. */

/** `[DONE]`, or the parsed data of one event. */
export type StreamItem = { readonly done: true } | { readonly done: false; readonly value: unknown };

export class UnreadableEvent extends Error {
  readonly data: string;
  constructor(data: string) {
    super('an event of the stream is not JSON');
    this.data = data;
  }
}

/**
 * Feed it pieces of the body in order, then call `end`. Items are handed to `onItem` as soon as they are complete.
 * Lenient where servers are sloppy: CRLF, no blank line between events, no space after `data:`, comments, a missing
 * last newline, JSON spread over several data lines. Throws `UnreadableEvent` when data is not JSON.
 */
export function createEventReader(onItem: (item: StreamItem) => void): {
  push(chunk: Uint8Array): void;
  end(): void;
} {
  const decoder = new TextDecoder();
  let line = '';
  let data = '';

  const flush = () => {
    if (data === '') return;
    const text = data;
    data = '';
    const item = read(text);
    if (item === undefined) throw new UnreadableEvent(text);
    onItem(item);
  };

  const takeLine = (raw: string) => {
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (text === '') return flush();
    if (!text.startsWith('data:')) return;
    const part = text.slice(text.charCodeAt(5) === 32 ? 6 : 5);
    if (data === '') {
      data = part;
      return;
    }
    // Without a blank line before it, this is either the next event or the second line of one.
    const item = read(data);
    if (item === undefined) data += `\n${part}`;
    else {
      data = part;
      onItem(item);
    }
  };

  const takeText = (text: string) => {
    let from = 0;
    for (;;) {
      const at = text.indexOf('\n', from);
      if (at < 0) break;
      takeLine(line + text.slice(from, at));
      line = '';
      from = at + 1;
    }
    line += from === 0 ? text : text.slice(from);
  };

  return {
    push: (chunk) => takeText(decoder.decode(chunk, { stream: true })),
    end: () => {
      takeText(decoder.decode());
      if (line !== '') takeLine(line);
      flush();
    },
  };
}

function read(text: string): StreamItem | undefined {
  if (text.startsWith('[DONE]')) return { done: true };
  try {
    return { done: false, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
