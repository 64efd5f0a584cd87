/** What went wrong between us and a provider, in words, and what may be done about it. */
import { type Failure, type FailureKind, failure } from '../domain/failure.js';
import type { ProviderOptions } from './provider.js';
import { retryAfterOf } from './retry.js';

/** A failed attempt. */
export interface Miss {
  readonly failure: Failure;
  /** True when tokens were billed or may have been. Such a call is never repeated without the caller. */
  readonly billed: boolean;
  /** The same provider may do better in a moment. */
  readonly again: boolean;
  /** Another provider may do better, and may be asked: nothing was billed. */
  readonly elsewhere: boolean;
  /** Speaks against the provider's health. */
  readonly ill: boolean;
}

const miss = (kind: FailureKind, message: string, hint: string | undefined, rest: Partial<Miss>): Miss => ({
  failure: failure(kind, message, hint),
  billed: false,
  again: false,
  elsewhere: false,
  ill: false,
  ...rest,
});

/** Nothing has been heard: the outage lies before the provider's first byte. */
const outage = { again: true, elsewhere: true, ill: true } as const;

export const where = (provider: ProviderOptions): string => `${provider.name} (${withoutUser(provider.baseUrl)})`;

const withoutUser = (url: string): string => url.replace(/\/\/[^/@]*@/, '//');

export function cancelled(provider: ProviderOptions): Miss {
  return miss('cancelled', `the call to ${where(provider)} was cancelled`, undefined, { billed: true });
}

/** No head of a reply arrived. `cause` is the wire's own error. */
export function unreached(provider: ProviderOptions, cause: unknown): Miss {
  const code = codeOf(cause);
  const place = where(provider);
  const check = `Is it running, and is ${provider.urlSetting} right?${provider.startHint === undefined ? '' : ` ${provider.startHint}`}`;
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    const hint = 'It may be overloaded or still loading the model. The call may have been billed.';
    return miss('model_interrupted', `${place} took the request and sent no reply in time`, hint, {
      billed: true,
      ill: true,
    });
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return miss('model_unreachable', `${place} is not reachable: its host name is not known (${code})`, check, outage);
  }
  if (/CERT|SELF_SIGNED|^ERR_TLS|^ERR_SSL|^EPROTO|UNABLE_TO_/.test(code)) {
    const hint = `Check http or https in ${provider.urlSetting}, and the certificate (NODE_EXTRA_CA_CERTS adds one).`;
    return miss('model_unreachable', `${place} is not reachable: no secure connection (${code})`, hint, {
      elsewhere: true,
      ill: true,
    });
  }
  if (/^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|ACCES|PERM)|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT/.test(code)) {
    return miss('model_unreachable', `${place} is not reachable: no connection (${code})`, check, outage);
  }
  return miss('model_unreachable', `the connection to ${place} was lost before a reply (${code})`, check, outage);
}

const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return 'unknown';
  const code = (cause as { code?: unknown }).code;
  return typeof code === 'string' ? code : cause.name;
};

/** What is read of an error reply; the SDK's `APIError` fits. */
export interface Refusal {
  readonly status: number | undefined;
  readonly headers: { get(name: string): string | null } | undefined;
  readonly code?: string | null | undefined;
  readonly message: string;
}

/** A parameter was refused by its name. The next request leaves it out, and may go at once. */
export function misunderstood(provider: ProviderOptions): Miss {
  const asked = miss('model_rejected', `${where(provider)} refused a parameter`, undefined, { again: true });
  return { ...asked, failure: { ...asked.failure, retryAfterSeconds: 0 } };
}

/** The provider answered with an error status, or with an error in place of a reply. */
export function refused(provider: ProviderOptions, error: Refusal, now: number): Miss {
  const status = error.status ?? 500;
  const said = `${where(provider)} answered ${status}: ${safeText(error.message, provider.apiKey)}`;
  if (status === 402 || error.code === 'insufficient_quota') {
    return miss('model_unauthorised', said, 'The account has no credit left.', { elsewhere: true, ill: true });
  }
  if (status === 401 || status === 403) {
    const missing = provider.apiKey === undefined || provider.apiKey === '';
    const hint = missing ? `Set ${provider.keyVariable}.` : `Check the key in ${provider.keyVariable}.`;
    return miss('model_unauthorised', said, hint, { elsewhere: true, ill: true });
  }
  if (status === 429)
    return withWait('model_rate_limited', said, 'The provider limits the rate of requests.', error.headers, now);
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return withWait(
      'model_failed',
      said,
      'The provider has trouble; try again later or set a fallback model.',
      error.headers,
      now,
    );
  }
  if (status === 404) {
    return miss('model_rejected', said, `Check the model name "${provider.model}" and ${provider.urlSetting}.`, {});
  }
  if (status >= 300 && status < 400) {
    const to = error.headers?.get('location') ?? 'another address';
    return miss(
      'model_rejected',
      `${where(provider)} redirects to ${safeText(to, provider.apiKey)}`,
      `Set ${provider.urlSetting} to the final address; redirects are not followed, for the key's sake.`,
      {},
    );
  }
  return miss('model_rejected', said, 'The request itself was refused; the same request will be refused again.', {});
}

function withWait(kind: FailureKind, message: string, hint: string, headers: Refusal['headers'], now: number): Miss {
  const wait = retryAfterOf(headers, now);
  const plain = miss(kind, message, hint, outage);
  return wait === undefined ? plain : { ...plain, failure: { ...plain.failure, retryAfterSeconds: wait } };
}

/** The reply broke off. What had arrived counts as billed. */
export function interrupted(provider: ProviderOptions, how: string): Miss {
  return miss(
    'model_interrupted',
    `the reply of ${where(provider)} broke off: ${how}`,
    'Asking again may help; what had arrived is billed.',
    { billed: true, ill: true },
  );
}

/** A reply arrived that is none. A web page was not written by a model, anything else may have been. */
export function unreadable(provider: ProviderOptions, what: string, sample: string): Miss {
  const page = sample.trimStart().startsWith('<');
  const met = sample === '' ? '' : ` It begins: ${JSON.stringify(safeText(sample, provider.apiKey))}`;
  return miss(
    'reply_unreadable',
    `${where(provider)} sent no chat completion but ${what}.${met}`,
    `Check that ${provider.urlSetting} is an OpenAI-compatible endpoint (most end in /v1).`,
    { billed: !page, elsewhere: page, ill: true },
  );
}

const maxSaid = 300;

/** Foreign text for a message of ours: no key, no control characters, not long. */
export function safeText(text: string, apiKey: string | undefined): string {
  const hidden = apiKey === undefined || apiKey.length < 4 ? text : text.replaceAll(apiKey, '[key]');
  const plain = hidden
    .slice(0, 4 * maxSaid)
    .replace(/\b(Bearer|Basic)\s+[^\s"',]+/gi, '$1 [key]')
    .replace(/\b(sk|pk|rk|key)-[A-Za-z0-9_*-]{6,}/g, '[key]')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
  return plain.length > maxSaid ? `${plain.slice(0, maxSaid)}…` : plain;
}
