/**
 * The `fetch` that the openai SDK is given, on undici's dispatcher. Node's own fetch costs three times as much CPU a call.
 *
 * Like the default fetch: a request that never got an answer rejects with `TypeError: fetch failed` and the cause; an
 * abort rejects with the signal's reason; a reply cut on its way rejects its reader with `TypeError: terminated`;
 * compressed bodies are unpacked. Unlike it: redirects are not followed (the key must not travel to another host), and
 * the reply has only what the SDK and our reader use (status, headers, `text`, `json`, an async iterable `body`).
 */
import { Agent, type Dispatcher } from 'undici';
import { Exchange } from './exchange.js';
import type { WireLimits } from './provider.js';

/** Headers that are used for many requests. Opaque, because the SDK copies all headers that it can see for its log. */
export class PreparedHeaders {
  readonly #values: Readonly<Record<string, string>>;
  constructor(values: Iterable<readonly [string, string]>) {
    this.#values = Object.fromEntries(values);
  }
  with(more: Readonly<Record<string, string>> | undefined): Record<string, string> {
    return more === undefined ? this.#values : { ...this.#values, ...more };
  }
}

export interface FetchInit extends RequestInit {
  /** Added to `headers`. */
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

interface Target {
  readonly href: string;
  readonly origin: string;
  readonly path: string;
}

export function createFetch(limits: WireLimits): WireFetch {
  const agent = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.firstByteMs,
    bodyTimeout: limits.idleMs,
    keepAliveTimeout: 30_000,
  });
  // A client asks for one address again and again.
  let last: (Target & { readonly asked: string }) | undefined;
  const targetOf = (asked: string): Target => {
    if (last?.asked !== asked) {
      const { href, origin, pathname, search } = new URL(asked);
      last = { asked, href, origin, path: pathname + search };
    }
    return last;
  };

  return {
    fetch: (input, init = {}) => {
      const { href, origin, path } = targetOf(input instanceof Request ? input.url : String(input));
      const request: Dispatcher.DispatchOptions = {
        origin,
        path,
        method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
        headers: headersOf(init),
        // The SDK hands over text, bytes or nothing for what we ask of it.
        body: (init.body ?? null) as string | Buffer | null,
      };
      return new Promise((resolve, reject) =>
        new Exchange(href, limits.maxErrorBytes, init, resolve, reject).start(agent, request),
      );
    },
    close: () => agent.close(),
  };
}

function headersOf({ headers, extraHeaders }: FetchInit): Record<string, string> {
  const given: unknown = headers;
  if (given instanceof PreparedHeaders) return given.with(extraHeaders);
  const plain = given instanceof Headers ? Object.fromEntries(given) : (given as Record<string, string> | undefined);
  return { ...plain, ...extraHeaders };
}
