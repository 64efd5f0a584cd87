/** A reply as it comes off the wire: the part of `Response` that is used, with the body pushed piece by piece. */
import type { IncomingHttpHeaders } from 'node:http';

/** What a reply needs of the connection that feeds it. */
export interface Flow {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

interface Head {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly flow: Flow;
  readonly maxErrorBytes: number;
}

interface Sink {
  readonly onChunk: (chunk: Uint8Array) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A reply nobody reads yet may hold this much before its connection is told to wait. */
const maxUnreadBytes = 256 * 1024;

export class WireResponse {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly headers: WireHeaders;
  bodyUsed = false;
  readonly #flow: Flow;
  readonly #maxErrorBytes: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #sink: Sink | undefined;
  #ended = false;
  #error: { readonly reason: unknown } | undefined;

  constructor(head: Head) {
    this.url = head.url;
    this.status = head.status;
    this.statusText = head.statusText;
    this.ok = head.status >= 200 && head.status < 300;
    this.headers = new WireHeaders(head.headers);
    this.#flow = head.flow;
    this.#maxErrorBytes = head.maxErrorBytes;
  }

  /** From the connection: one piece of the body. */
  push(chunk: Uint8Array): void {
    // undici hands over an empty piece when a paused connection goes on.
    if (chunk.length === 0) return;
    if (this.#sink !== undefined) {
      this.#deliver(this.#sink, chunk);
      return;
    }
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > maxUnreadBytes) this.#flow.pause();
  }

  /** From the connection: the body is complete. */
  end(): void {
    this.#ended = true;
    this.#sink?.resolve();
  }

  /** From the connection: the body will never be complete. */
  fail(reason: unknown): void {
    this.#error ??= { reason };
    this.#sink?.reject(this.#error.reason);
  }

  /**
   * Reads the whole body; `onChunk` runs as pieces arrive, without a promise for each. When `onChunk` throws, the
   * connection is closed and the promise rejects with what was thrown. A body can be read once.
   */
  pump(onChunk: (chunk: Uint8Array) => void): Promise<void> {
    if (this.bodyUsed) return Promise.reject(new TypeError('Body is unusable: it has been read already'));
    this.bodyUsed = true;
    return new Promise((resolve, reject) => {
      const sink: Sink = { onChunk, resolve, reject };
      this.#sink = sink;
      for (const chunk of this.#waiting.splice(0)) this.#deliver(sink, chunk);
      if (this.#waitingBytes > maxUnreadBytes) this.#flow.resume();
      if (this.#error !== undefined) reject(this.#error.reason);
      else if (this.#ended) resolve();
    });
  }

  /** Of an error reply no more than the limit is read; then the connection is closed. */
  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    const enough = new Error('an error reply is too long');
    let bytes = 0;
    const read = this.pump((chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (!this.ok && bytes > this.#maxErrorBytes) throw enough;
    });
    await read.catch((error: unknown) => {
      if (error !== enough) throw error;
    });
    return Buffer.concat(chunks).toString('utf8');
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** Stops the reply. Harmless when it is complete. */
  cancel(reason: Error): void {
    if (!this.#ended && this.#error === undefined) this.#flow.abort(reason);
  }

  /** For readers written against streams, such as the SDK's own. Leaving the loop early closes the connection. */
  get body(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => this.#iterate() };
  }

  async *#iterate(): AsyncGenerator<Uint8Array> {
    const queue: Uint8Array[] = [];
    let wake = () => {};
    let over = false;
    const finished = this.pump((chunk) => {
      queue.push(chunk);
      this.#flow.pause();
      wake();
    }).finally(() => {
      over = true;
      wake();
    });
    // Awaited below; this keeps a rejection from being "unhandled" while the reader is busy with a piece.
    finished.catch(() => {});
    try {
      for (;;) {
        const chunk = queue.shift();
        if (chunk !== undefined) yield chunk;
        else if (over) return await finished;
        else {
          // The promise stands before the connection may go on, as that can deliver at once.
          const woken = new Promise<void>((resolve) => {
            wake = resolve;
          });
          this.#flow.resume();
          await woken;
        }
      }
    } finally {
      this.cancel(new Error('the reader stopped early'));
    }
  }

  #deliver(sink: Sink, chunk: Uint8Array): void {
    if (this.#error !== undefined) return;
    try {
      sink.onChunk(chunk);
    } catch (error) {
      this.#error = { reason: error };
      sink.reject(error);
      this.#flow.abort(error instanceof Error ? error : new Error('the reader failed'));
    }
  }
}

/** Response headers without the cost of building `Headers`. Names are lower-case, as undici gives them. */
export class WireHeaders {
  readonly #values: IncomingHttpHeaders;
  constructor(values: IncomingHttpHeaders) {
    this.#values = values;
  }
  get(name: string): string | null {
    const value = this.#values[name.toLowerCase()];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  }
  has(name: string): boolean {
    return this.get(name) !== null;
  }
  *entries(): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.#values)) yield [name, this.get(name) ?? ''];
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
