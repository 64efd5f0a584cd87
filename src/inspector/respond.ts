/** Reading requests and writing responses: JSON bodies of limited size, headers that leave a browser no freedom. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Failure, FailureKind } from '../domain/failure.js';
import type { Refusal } from './guard.js';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** On every response. */
export const securityHeaders: OutgoingHttpHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
  });
  response.end(bytes);
}

export function sendRefusal(response: ServerResponse, { status, ...error }: Refusal): void {
  // The rest of a refused body is not worth reading.
  response.shouldKeepAlive = false;
  sendJson(response, status, { error });
}

export const sendFailure = (response: ServerResponse, failure: Failure): void =>
  sendJson(response, statusOf(failure.kind), { error: failure });

function statusOf(kind: FailureKind): number {
  switch (kind) {
    case 'invalid_request':
      return 400;
    case 'not_found':
    case 'unknown_queue':
      return 404;
    case 'conflict':
      return 409;
    case 'too_large':
      return 413;
    case 'quota_exceeded':
      return 429;
    case 'bus_unreachable':
    case 'storage_refused':
      return 503;
    default:
      return 500;
  }
}

export type Body = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly refusal: Refusal };

const refused = (status: number, kind: string, message: string): Body => ({
  ok: false,
  refusal: { status, kind, message },
});

/** The JSON body of a request. Never throws; reads no more than `limit` bytes. */
export async function readJson(request: IncomingMessage, limit: number): Promise<Body> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    return refused(
      415,
      'not_json',
      `expected content-type application/json, got ${JSON.stringify(type.slice(0, 100))}`,
    );
  }
  const tooLarge = () => refused(413, 'too_large', `expected at most ${limit} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > limit) return tooLarge();
      parts.push(part);
    }
    const text = Buffer.concat(parts).toString('utf8');
    return { ok: true, value: text.trim() === '' ? {} : JSON.parse(text) };
  } catch {
    return refused(400, 'invalid_request', 'the body is not JSON');
  }
}
