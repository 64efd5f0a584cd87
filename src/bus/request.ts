/** Request and reply in plain JSON, discoverable through the NATS services API as `hact`. */
import { headers as makeHeaders, type Service } from 'nats';
import { z } from 'zod';
import {
  type Failure,
  fail,
  failure,
  failureKinds,
  failureSchema,
  isRetryable,
  ok,
  type Result,
} from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import type { Requests } from './contract.js';
import { notPermitted, unreachable } from './refusal.js';
import { badToken, isKey, isToken, type Names } from './subject.js';
import { decodeJson, decodeText, encode } from './text.js';
import type { Wire } from './wire.js';

const nothing = new Uint8Array(0);
const pingTimeoutMs = 1_000;
/** Requests need none; tracing adds a few. */
const mostHeaders = 64;
const service = { name: 'hact', version: '0.1.0', description: 'Hermes Actors: tasks, approvals, memory' };
const wireFailureSchema = failureSchema.extend({ kind: z.enum(failureKinds) });

export function requestsOn(wire: Wire, names: Names): Requests {
  return {
    serve: (endpoints) => serve(wire, names, endpoints),
    request: async (name, body, timeoutMs) => {
      if (!isKey(name))
        return fail('invalid_request', `expected a request name like task.submit, got ${JSON.stringify(name)}`);
      const payload = encode(body);
      if (payload.length > wire.maxPayload) {
        return fail(
          'too_large',
          `the request has ${payload.length} bytes, and the server takes ${wire.maxPayload}`,
          'pass large content as files',
        );
      }
      const reply = await wire.ask(names.request(name), payload, timeoutMs);
      if (reply.kind === 'nobody') {
        return {
          ok: false,
          failure: failure(
            'bus_unreachable',
            `${nobody}${names.request(name)}`,
            'start a worker: hact worker, or hact dev',
          ),
        };
      }
      if (reply.kind === 'lost' || reply.kind === 'silent')
        return fail('bus_unreachable', `no answer to ${names.request(name)} within ${timeoutMs} ms`);
      if (reply.kind === 'away') return { ok: false, failure: unreachable(names.request(name), wire.patienceMs) };
      if (reply.kind === 'denied') return { ok: false, failure: notPermitted(names.request(name)) };
      return answerOf(reply.msg.data, reply.msg.headers?.get('Nats-Service-Error') ?? '', name);
    },
    answerAs: (hostId) => {
      if (!isToken(hostId)) return () => undefined;
      const subscription = wire.listen(names.host(hostId), (msg) => {
        if (msg.reply && mayAnswer(names, msg.reply)) wire.tell(msg.reply, nothing);
      });
      return () => subscription?.unsubscribe();
    },
    ping: async (hostId) => {
      if (!isToken(hostId)) return false;
      return (await wire.ask(names.host(hostId), nothing, pingTimeoutMs)).kind !== 'nobody';
    },
  };
}

const nobody = 'nobody answers ';

/** True when a request failed because no process serves it, so that it was certainly not carried out. */
export const isNobody = ({ kind, message }: Failure): boolean =>
  kind === 'bus_unreachable' && message.startsWith(nobody);

function answerOf(data: Uint8Array, error: string, name: string): Result<Json> {
  const json = decodeJson(data);
  if (error === '') return json === undefined ? fail('internal', `the answer to ${name} is not JSON`) : ok(json);
  const parsed = wireFailureSchema.safeParse(json);
  return parsed.success ? { ok: false, failure: parsed.data } : fail('internal', `${name}: ${error}`);
}

type Handler = (body: string) => Promise<Result<Json>>;

async function serve(
  wire: Wire,
  names: Names,
  endpoints: Readonly<Record<string, Handler>>,
): Promise<Result<() => Promise<void>>> {
  for (const name of Object.keys(endpoints)) {
    if (!isKey(name)) return { ok: false, failure: badToken('a request name', name) };
  }
  if (!(await wire.ready())) return { ok: false, failure: unreachable('services', wire.patienceMs) };
  let running: Service;
  try {
    running = await wire.connection.services.add(service);
    for (const [name, handle] of Object.entries(endpoints)) {
      running.addEndpoint(name.replaceAll('.', '-'), {
        subject: names.request(name),
        handler: (error, msg) => {
          if (error !== null || !mayAnswer(names, msg.reply)) return;
          if ([...(msg.headers?.keys() ?? [])].length > mostHeaders) {
            const refusal = failure('too_large', `expected at most ${mostHeaders} headers`);
            return respond(wire, msg.reply, encode(refusal), refusal);
          }
          void answer(wire, decodeText(msg.data), handle, (data, failure) => respond(wire, msg.reply, data, failure));
        },
      });
    }
    // From here on, whoever is told that we serve finds us.
    await wire.connection.flush();
  } catch (error) {
    return fail('internal', `cannot serve requests: ${String(error)}`);
  }
  return ok(async () => {
    await running.stop().catch(() => undefined);
  });
}

/** A question may name any subject for its answer, and the answer would be stored in a stream that takes it. */
const mayAnswer = ({ prefix }: Names, reply: string | undefined): boolean =>
  reply !== undefined && !reply.startsWith('$') && !reply.startsWith(`${prefix}.`);

async function answer(
  wire: Wire,
  body: string,
  handle: Handler,
  send: (data: Uint8Array, failure?: Failure) => void,
): Promise<void> {
  const result = await handle(body).catch((error: unknown) => fail('internal', `the request failed: ${String(error)}`));
  if (!result.ok) return send(encode(result.failure), result.failure);
  const data = encode(result.value);
  if (data.length <= wire.maxPayload) return send(data);
  const tooLarge = fail(
    'too_large',
    `the answer has ${data.length} bytes, and the server takes ${wire.maxPayload}`,
    'ask for less at once',
  );
  send(encode(tooLarge.failure), tooLarge.failure);
}

function respond(wire: Wire, reply: string | undefined, data: Uint8Array, failure?: Failure): void {
  if (!reply) return;
  try {
    if (failure === undefined) {
      wire.connection.publish(reply, data);
      return;
    }
    const headers = makeHeaders();
    headers.set('Nats-Service-Error', failure.message.replaceAll(/[\r\n]+/g, ' ').slice(0, 1000));
    headers.set('Nats-Service-Error-Code', String(statusOf(failure)));
    wire.connection.publish(reply, data, { headers });
  } catch {
    // The connection is gone, and with it whoever asked.
  }
}

/** The usual HTTP status for a kind, as the services API has numeric codes. */
function statusOf(failure: Failure): number {
  switch (failure.kind) {
    case 'invalid_request':
    case 'invalid_arguments':
    case 'invalid_config':
      return 400;
    case 'not_permitted':
    case 'denied':
      return 403;
    case 'not_found':
    case 'unknown_queue':
      return 404;
    case 'conflict':
      return 409;
    case 'too_large':
      return 413;
    case 'quota_exceeded':
      return 429;
    default:
      return isRetryable(failure) ? 503 : 500;
  }
}
