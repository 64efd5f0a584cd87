/** One provider, called through the openai SDK. The only file that imports it. */
import OpenAI, { type ClientOptions } from 'openai';
import { requestBody } from './body.js';
import { cancelled, interrupted, type Miss, misunderstood, refused, unreached } from './explain.js';
import { createFetch, type FetchInit, PreparedHeaders, type WireFetch } from './fetch.js';
import type { CallOptions, ModelRequest } from './model.js';
import type { ProviderOptions, Quirks, WireLimits } from './provider.js';
import { type ReplyRead, readReply } from './reply.js';
import type { World } from './world.js';

export interface Provider {
  readonly options: ProviderOptions;
  /** One request, no retries. Never throws. */
  attempt(request: ModelRequest, options: CallOptions): Promise<ReplyRead>;
  close(): Promise<void>;
}

type FinalOptions = Parameters<OpenAI['buildRequest']>[0];
type BuiltRequest = Awaited<ReturnType<OpenAI['buildRequest']>>;

/**
 * The SDK builds the same headers and address on each request, which costs more than all the rest of it. All our
 * requests differ only in their body, so that the first one's are kept. Its own time-out and signal are left out: the
 * wire's come first.
 */
class Client extends OpenAI {
  readonly #wire: WireFetch;
  #built: BuiltRequest | undefined;

  constructor(options: ClientOptions, wire: WireFetch) {
    super({ ...options, fetch: wire.fetch });
    this.#wire = wire;
  }

  override fetchWithTimeout(url: string | URL | Request, init?: RequestInit): Promise<Response> {
    return this.#wire.fetch(url, init);
  }

  override async buildRequest(options: FinalOptions, extra?: { retryCount?: number }): Promise<BuiltRequest> {
    this.#built ??= await this.#buildFirst(options, extra);
    const req: BuiltRequest['req'] = { ...this.#built.req, body: options.body as string, ...options.fetchOptions };
    return { ...this.#built, req };
  }

  async #buildFirst(options: FinalOptions, extra?: { retryCount?: number }): Promise<BuiltRequest> {
    const built = await super.buildRequest({ ...options, body: '{}' }, extra);
    // The cast: between here and our fetch the SDK only hands them on. It writes the method in lower case.
    const headers = new PreparedHeaders(built.req.headers) as unknown as Headers;
    return { ...built, req: { ...built.req, method: 'POST', headers } };
  }
}

export function createProvider(options: ProviderOptions, limits: WireLimits, world: World): Provider {
  const wire = createFetch(limits);
  const client = new Client(
    {
      baseURL: options.baseUrl,
      // The SDK insists on a key; local servers need none.
      apiKey: options.apiKey || 'none',
      organization: null,
      project: null,
      maxRetries: 0,
      logLevel: 'off',
      defaultHeaders: { 'content-type': 'application/json', ...keyHeader(options) },
    },
    wire,
  );
  let quirks = options.quirks;

  const send = async (request: ModelRequest, { signal, onDelta }: CallOptions): Promise<ReplyRead> => {
    const failed = (miss: Miss): ReplyRead => ({
      ok: false,
      miss: signal.aborted ? cancelled(options) : miss,
      seen: undefined,
    });
    let lost: Error | undefined;
    const fetchOptions: Pick<FetchInit, 'extraHeaders' | 'cancel' | 'onLost'> = {
      extraHeaders: request.agentId === undefined ? undefined : { 'x-hact-agent': request.agentId },
      cancel: signal,
      onLost: (error) => {
        lost = error;
      },
    };
    try {
      const response = await client
        .post('/chat/completions', {
          body: requestBody(request, options, quirks),
          // The cast: the SDK passes these on to our fetch untouched; its type knows only the common fields.
          fetchOptions: fetchOptions as FinalOptions['fetchOptions'],
        })
        .asResponse();
      const read = await readReply(response, { provider: options, limits, world, onDelta });
      return !read.ok && signal.aborted ? { ...read, miss: cancelled(options) } : read;
    } catch (error) {
      if (error instanceof OpenAI.APIError && error.status !== undefined) {
        const better = betterQuirks(quirks, error);
        if (better === undefined) return failed(refused(options, error, world.now()));
        quirks = better;
        return failed(misunderstood(options));
      }
      if (error instanceof OpenAI.APIError) return failed(unreached(options, lost ?? error.cause ?? error));
      return failed(interrupted(options, error instanceof Error ? error.message : String(error)));
    }
  };

  return { options, attempt: send, close: wire.close };
}

const keyHeader = (options: ProviderOptions): Record<string, string> =>
  options.keyHeader === undefined || options.apiKey === undefined ? {} : { [options.keyHeader]: options.apiKey };

/** What to leave out after a provider refused a parameter by name. Undefined: nothing that we could leave out. */
function betterQuirks(
  quirks: Quirks,
  error: { status: number | undefined; message: string; param?: unknown },
): Quirks | undefined {
  if (error.status !== 400 && error.status !== 422) return undefined;
  const named = (field: string) => error.param === field || (error.param == null && error.message.includes(field));
  if (
    quirks.outputLimitField === 'max_tokens' &&
    named('max_tokens') &&
    error.message.includes('max_completion_tokens')
  ) {
    return { ...quirks, outputLimitField: 'max_completion_tokens' };
  }
  if (quirks.sendsTemperature && named('temperature')) return { ...quirks, sendsTemperature: false };
  if (quirks.streamUsage && named('stream_options')) return { ...quirks, streamUsage: false };
  return undefined;
}
