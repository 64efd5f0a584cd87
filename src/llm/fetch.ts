/**
 * The `fetch` that the openai SDK is given, on undici's dispatcher. Node's own fetch costs three times as much CPU a call.
 *
 * Like the default fetch: a request that never got an answer rejects with `TypeError: fetch failed` and the cause; an
 * abort rejects with the signal's reason; a reply cut on its way rejects its reader with `TypeError: terminated`;
 * compressed bodies are unpacked. Unlike it: redirects are not followed (the key must not travel to another host), and
 * the reply has only what the SDK and our reader use (status, headers, `text`, `json`, an async iterable `body`).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher } from 'undici';
import type { WireLimits } from './provider.js';
import { WireResponse } from './response.js';
import { type Body, unpacked } from './unpack.js';

export interface FetchInit extends RequestInit {
  /** Added to `headers`; lets one `Headers` object serve many requests. */
  readonly extraHeaders?: Readonly<Record<string, string>> | undefined;
  /**
   * A second signal. The SDK leaves its listeners on the signals it is given for good, which fills up one that lives
   * as long as an agent; this one is left clean.
   */
  readonly cancel?: AbortSignal;
  /** Told the wire's own error when no reply arrived: the SDK hides some of them behind its own. */
  readonly onLost?: (error: Error) => void;
}

export interface WireFetch {
  /** Fit for the SDK's `fetch` option. */
  readonly fetch: (url: string | URL | Request, init?: FetchInit) => Promise<Response>;
  /** Closes idle connections and waits for the others. */
  close(): Promise<void>;
}

export function createFetch(limits: WireLimits): WireFetch {
  const agent = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.firstByteMs,
    bodyTimeout: limits.idleMs,
    keepAliveTimeout: 30_000,
  });
  const plainHeaders = new WeakMap<Headers, Record<string, string>>();

  const headersOf = (init: FetchInit): Record<string, string> => {
    const given = init.headers;
    if (!(given instanceof Headers)) return { ...(given as Record<string, string> | undefined), ...init.extraHeaders };
    let plain = plainHeaders.get(given);
    if (plain === undefined) {
      plain = Object.fromEntries(given);
      plainHeaders.set(given, plain);
    }
    return init.extraHeaders === undefined ? plain : { ...plain, ...init.extraHeaders };
  };

  return {
    fetch: (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const request: Dispatcher.DispatchOptions = {
        origin: url.origin,
        path: url.pathname + url.search,
        method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
        headers: headersOf(init),
        // The SDK hands over text, bytes or nothing for what we ask of it.
        body: (init.body ?? null) as string | Buffer | null,
      };
      return send(agent, request, url.href, init);
    },
    close: () => agent.close(),
  };
}

const failed = (cause: unknown): TypeError => new TypeError('fetch failed', { cause });

function send(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  url: string,
  init: FetchInit,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let body: Body | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    const signals = [init.signal, init.cancel].filter((signal) => signal !== undefined && signal !== null);
    const aborted = () => signals.find((signal) => signal.aborted);
    const abort = () => {
      const reason = aborted()?.reason;
      // undici wants an Error; the reader gets the signal's own reason.
      controller?.abort(reason instanceof Error ? reason : new Error('aborted'));
      reject(reason);
    };
    const settled = () => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    };
    if (aborted() !== undefined) return abort();
    for (const signal of signals) signal.addEventListener('abort', abort, { once: true });

    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (aborted() !== undefined) abort();
      },
      onResponseStart(started, status, headers: IncomingHttpHeaders, statusText) {
        // 1xx heads come before the real one.
        if (status < 200) return;
        const response = new WireResponse({ url, status, statusText: statusText ?? '', headers, flow: started });
        body = unpacked(headers['content-encoding'], response, started);
        // The cast: the SDK reads only the part of Response that WireResponse has (see the head of this file).
        resolve(response as unknown as Response);
      },
      onResponseData(_, chunk) {
        body?.push(chunk);
      },
      onResponseEnd() {
        settled();
        body?.end();
      },
      onResponseError(_, error) {
        settled();
        const stopped = aborted();
        if (body === undefined) {
          init.onLost?.(error);
          reject(stopped === undefined ? failed(error) : stopped.reason);
        } else body.fail(stopped === undefined ? new TypeError('terminated', { cause: error }) : stopped.reason);
      },
    });
  });
}
