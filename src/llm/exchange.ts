/** One request and its reply on undici's dispatcher, with the outcomes of `fetch`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { WireResponse } from './response.js';
import { type Body, unpacked } from './unpack.js';

/** Who may stop it, and who is told when it is lost; see `FetchInit`. */
export interface ExchangeOptions {
  readonly signal?: AbortSignal | null | undefined;
  readonly cancel?: AbortSignal | undefined;
  readonly onLost?: ((error: Error) => void) | undefined;
}

/** A class because undici calls its methods many times a request, and thousands of requests are open at once. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #href: string;
  readonly #maxErrorBytes: number;
  readonly #init: ExchangeOptions;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #onAbort = () => this.#abort();
  #controller: Dispatcher.DispatchController | undefined;
  #body: Body | undefined;

  constructor(
    href: string,
    maxErrorBytes: number,
    init: ExchangeOptions,
    resolve: (response: Response) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#href = href;
    this.#maxErrorBytes = maxErrorBytes;
    this.#init = init;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions): void {
    if (this.#stopped() !== undefined) {
      this.#abort();
      return;
    }
    this.#init.signal?.addEventListener('abort', this.#onAbort);
    this.#init.cancel?.addEventListener('abort', this.#onAbort);
    dispatcher.dispatch(request, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped() !== undefined) this.#abort();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusText?: string,
  ): void {
    // 1xx heads come before the real one.
    if (status < 200) return;
    const response = new WireResponse({
      url: this.#href,
      status,
      statusText: statusText ?? '',
      headers,
      flow: controller,
      maxErrorBytes: this.#maxErrorBytes,
    });
    this.#body = unpacked(headers['content-encoding'], response, controller);
    // The cast: the SDK reads only the part of Response that WireResponse has (see `fetch.ts`).
    this.#resolve(response as unknown as Response);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#leave();
    this.#body?.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#leave();
    const stopped = this.#stopped();
    if (this.#body === undefined) {
      this.#init.onLost?.(error);
      this.#reject(stopped === undefined ? new TypeError('fetch failed', { cause: error }) : stopped.reason);
    } else {
      this.#body.fail(stopped === undefined ? new TypeError('terminated', { cause: error }) : stopped.reason);
    }
  }

  #stopped(): AbortSignal | undefined {
    const { cancel, signal } = this.#init;
    if (cancel?.aborted) return cancel;
    return signal?.aborted ? signal : undefined;
  }

  #abort(): void {
    const reason: unknown = this.#stopped()?.reason;
    // undici wants an Error; the reader gets the signal's own reason.
    this.#controller?.abort(reason instanceof Error ? reason : new Error('aborted'));
    this.#reject(reason);
  }

  #leave(): void {
    this.#init.signal?.removeEventListener('abort', this.#onAbort);
    this.#init.cancel?.removeEventListener('abort', this.#onAbort);
  }
}
