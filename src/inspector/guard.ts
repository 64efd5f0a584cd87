/**
 * Who may ask what. A browser that was lured to another site can reach loopback, so every request must name us in its
 * Host header, must not come from a foreign page, and must carry the token when it changes anything.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Refusal {
  readonly status: number;
  readonly kind: string;
  readonly message: string;
  readonly hint?: string;
}

export interface GuardOptions {
  /** Names, without port, by which we may be called. */
  readonly hosts: ReadonlySet<string>;
  readonly token: string;
  /** Reading needs the token too; so it is when others than this machine can reach us. */
  readonly readNeedsToken: boolean;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

export const isLoopback = (host: string): boolean => loopbackNames.includes(bracketed(host));

/** Loopback, the address that is listened on, and what the operator adds (a name behind a proxy). */
export const hostsOf = (host: string, more: readonly string[]): ReadonlySet<string> =>
  new Set(
    [...loopbackNames, ...(everyAddress.has(host) ? [] : [bracketed(host)]), ...more].map((name) => name.toLowerCase()),
  );

/** An IPv6 address stands in brackets in urls and headers. */
export const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** Why this request is refused, or undefined. */
export function refusalOf(
  method: string,
  headers: IncomingHttpHeaders,
  api: boolean,
  options: GuardOptions,
): Refusal | undefined {
  const { host, origin } = headers;
  const name = host === undefined ? undefined : hostName(host);
  if (name === undefined || !options.hosts.has(name)) {
    return {
      status: 421,
      kind: 'wrong_host',
      message: `expected a Host header that names this inspector, got ${JSON.stringify((host ?? '').slice(0, 200))}`,
      hint: 'open it by the address that was printed when it started',
    };
  }
  const foreignSite = headers['sec-fetch-site'] === 'cross-site' && method !== 'GET';
  if (foreignSite || (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)) {
    return { status: 403, kind: 'foreign_origin', message: 'requests from pages of another origin are refused' };
  }
  const changes = method !== 'GET' && method !== 'HEAD';
  if ((changes || (api && options.readNeedsToken)) && !carriesToken(headers.authorization, options.token)) {
    return {
      status: 403,
      kind: 'missing_token',
      message: 'this needs the token of this inspector',
      hint: 'open the whole address that was printed, with #token=…; programs send it as "Authorization: Bearer …"',
    };
  }
  return undefined;
}

function hostName(host: string): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9.-]{1,253})(:\d{1,5})?$/.exec(host);
  return match?.[1]?.toLowerCase();
}

/** Compares digests, so that neither time nor length tells anything. */
function carriesToken(header: string | undefined, token: string): boolean {
  const sent = header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(token));
}
