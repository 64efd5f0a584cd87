/**
 * The client of Hermes for programs that hold a bus: the CLI, the inspector, the package's door. It asks the service that
 * workers run; when nobody serves, it does the same through the ports itself, so that a task can be submitted, watched
 * and steered before any worker is there.
 */
import type { z } from 'zod';
import { type Served, servedQueues } from '../bus/presence.js';
import { isNobody } from '../bus/request.js';
import { FailureError, fail, ok, type Result } from '../domain/failure.js';
import { type TaskId, taskIdSchema } from '../domain/id.js';
import type { Json } from '../domain/json.js';
import type { TaskRecord } from '../domain/task.js';
import type { Control } from './control.js';
import { type Handlers, handlersOf } from './handlers.js';
import { type Endpoint, protocol, type RequestBody, type ResponseOf } from './protocol.js';
import { awaitResult, type WatchItem, watchTask } from './watch.js';
import { readValue } from './words.js';

type Answer<E extends Endpoint> = Promise<Result<ResponseOf<E>>>;
type By = { readonly by?: string; readonly reason?: string };

export interface Client {
  /** Accepted means stored. Sent with an idempotency key of its own unless there is one, so that it can be sent twice. */
  submit(submission: RequestBody<'task.submit'>): Answer<'task.submit'>;
  get(taskId: string): Answer<'task.get'>;
  /** The newest first. */
  list(body?: RequestBody<'task.list'>): Answer<'task.list'>;
  tree(taskId: string): Answer<'task.tree'>;
  /** Events after a feed sequence, then the result. Throws a `FailureError` when there is no such task. */
  watch(taskId: string, options?: { after?: number; signal?: AbortSignal }): AsyncIterable<WatchItem>;
  /** The record of the ended task, as soon as it is stored. */
  result(taskId: string, signal?: AbortSignal): Promise<Result<TaskRecord>>;
  cancel(body: RequestBody<'task.cancel'>): Answer<'task.cancel'>;
  pause(body: RequestBody<'task.pause'>): Answer<'task.pause'>;
  resume(body: RequestBody<'task.resume'>): Answer<'task.resume'>;
  correct(body: RequestBody<'task.correct'>): Answer<'task.correct'>;
  budget(body: RequestBody<'task.budget'>): Answer<'task.budget'>;
  approvals(body?: RequestBody<'approval.list'>): Answer<'approval.list'>;
  decide(body: RequestBody<'approval.decide'>): Answer<'approval.decide'>;
  approve(id: string, options?: By): Answer<'approval.decide'>;
  deny(id: string, options?: By): Answer<'approval.decide'>;
  answer(body: RequestBody<'question.answer'>): Answer<'question.answer'>;
  /** How many worker processes are alive. */
  workers(): Promise<Result<number>>;
  /** Roles and queues that living workers serve. */
  served(): Promise<Result<Served>>;
}

const requestTimeoutMs = 10_000;
/** A mistaken id would be waited for without an end. */
const readId = (taskId: string): Result<TaskId> => {
  const id = readValue(taskIdSchema, taskId, 'as `submit` gave it');
  return id.ok ? ok(id.value as TaskId) : id;
};

export function createClient(control: Control): Client {
  const handlers = handlersOf(control);
  const ask = <E extends Endpoint>(name: E, body: RequestBody<E>): Answer<E> => call(control, handlers, name, body);
  return {
    submit: async (submission) => {
      const keyed = { idempotencyKey: control.ids.token(), ...submission };
      const accepted = await ask('task.submit', keyed);
      const unclear = !accepted.ok && accepted.failure.kind === 'bus_unreachable' && control.bus.status().connected;
      return unclear ? ask('task.submit', keyed) : accepted;
    },
    get: (taskId) => ask('task.get', { taskId }),
    list: (body = {}) => ask('task.list', body),
    tree: (taskId) => ask('task.tree', { taskId }),
    watch: async function* (taskId, { after = 0, signal } = {}) {
      const id = readId(taskId);
      if (!id.ok) throw new FailureError(id.failure);
      yield* watchTask(control, id.value, after, signal);
    },
    result: async (taskId, signal) => {
      const id = readId(taskId);
      return id.ok ? awaitResult(control, id.value, signal) : id;
    },
    cancel: (body) => ask('task.cancel', body),
    pause: (body) => ask('task.pause', body),
    resume: (body) => ask('task.resume', body),
    correct: (body) => ask('task.correct', body),
    budget: (body) => ask('task.budget', body),
    approvals: (body = {}) => ask('approval.list', body),
    decide: (body) => ask('approval.decide', body),
    approve: (id, options = {}) => ask('approval.decide', { id, allow: true, ...options }),
    deny: (id, options = {}) => ask('approval.decide', { id, allow: false, ...options }),
    answer: (body) => ask('question.answer', body),
    workers: async () => {
      const hosts = await control.bus.buckets.host.keys();
      return hosts.ok ? ok(hosts.value.length) : hosts;
    },
    served: () => servedQueues(control.bus.buckets.host),
  };
}

async function call<E extends Endpoint>(
  control: Control,
  handlers: Handlers,
  name: E,
  body: RequestBody<E>,
): Answer<E> {
  const schemas: { readonly request: z.ZodType; readonly response: z.ZodType } = protocol[name];
  const request = readValue(schemas.request, body, `hact protocol ${name} describes it`);
  if (!request.ok) return request;
  const reply = await control.bus.requests.request(name, body as Json, requestTimeoutMs);
  if (!reply.ok) {
    if (!isNobody(reply.failure)) return reply;
    const handle = handlers[name] as (request: unknown) => Answer<E>;
    const done = await handle(request.value);
    // Those who may only ask need somebody who answers.
    return !done.ok && done.failure.kind === 'not_permitted' ? reply : done;
  }
  const response = schemas.response.safeParse(reply.value);
  return response.success
    ? ok(response.data as ResponseOf<E>)
    : fail(
        'internal',
        `the answer to ${name} has another form: ${response.error.issues[0]?.message ?? ''}`,
        'are all programs of one version?',
      );
}
