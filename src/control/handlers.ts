/** What each request does. One table for the service and for clients that reach the bus themselves. */
import { ok, type Result } from '../domain/failure.js';
import type { Control } from './control.js';
import { answer, decide, listRequests } from './human.js';
import type { Endpoint, RequestOf, ResponseOf } from './protocol.js';
import { listTasks, readRecord } from './record.js';
import { cancel, changeBudget, correct, pause, resume } from './steer.js';
import { acceptSubmission } from './submit.js';
import { readTree } from './watch.js';

export type Handlers = { readonly [E in Endpoint]: (request: RequestOf<E>) => Promise<Result<ResponseOf<E>>> };

export const handlersOf = (control: Control): Handlers => ({
  'task.submit': (request) => acceptSubmission(control, request),
  'task.get': ({ taskId }) => readRecord(control, taskId),
  'task.list': async (request) => {
    const tasks = await listTasks(control, request);
    return tasks.ok ? ok({ tasks: tasks.value }) : tasks;
  },
  'task.tree': ({ taskId }) => readTree(control, taskId),
  'task.cancel': (request) => cancel(control, request),
  'task.pause': (request) => pause(control, request),
  'task.resume': (request) => resume(control, request),
  'task.correct': (request) => correct(control, request),
  'task.budget': (request) => changeBudget(control, request),
  'approval.list': async (request) => {
    const requests = await listRequests(control, request);
    return requests.ok ? ok({ requests: requests.value }) : requests;
  },
  'approval.decide': (request) => decide(control, request),
  'question.answer': (request) => answer(control, request),
});
