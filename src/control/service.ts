/** Serves the control requests to any NATS client, in plain JSON. */
import type { z } from 'zod';
import { fail, type Result } from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import type { Control } from './control.js';
import { type Handlers, handlersOf } from './handlers.js';
import { type Endpoint, protocol } from './protocol.js';
import { readRequest } from './words.js';

/** Resolves with a function that stops serving. Every worker serves; the requests are shared out among them. */
export function serveControl(control: Control): Promise<Result<() => Promise<void>>> {
  const handlers = handlersOf(control);
  const names = Object.keys(protocol) as Endpoint[];
  return control.bus.requests.serve(Object.fromEntries(names.map((name) => [name, serving(handlers, name)])));
}

/** Requests without a required field may be empty. */
const mayBeEmpty: ReadonlySet<Endpoint> = new Set(['task.list', 'approval.list']);

function serving<E extends Endpoint>(handlers: Handlers, name: E): (body: string) => Promise<Result<Json>> {
  const schema: z.ZodType = protocol[name].request;
  return async (text) => {
    const body = text.trim() === '' && mayBeEmpty.has(name) ? '{}' : text;
    const request = readRequest(schema, body, name);
    if (!request.ok) return request;
    try {
      const handle = handlers[name] as (request: unknown) => Promise<Result<unknown>>;
      // Every response schema describes JSON.
      return (await handle(request.value)) as Result<Json>;
    } catch (error) {
      return fail('internal', `${name} failed: ${String(error)}`, 'this is a bug in Hermes; please report it');
    }
  };
}
