/** What agents want of people: pending requests, and the one decision or answer that each takes. */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import { type HumanRequest, humanRequestSchema } from '../domain/human.js';
import type { ApprovalId } from '../domain/id.js';
import { messageSchema } from '../domain/message.js';
import type { Control } from './control.js';
import type { RequestOf, ResponseOf } from './protocol.js';
import { send } from './steer.js';

/** Value under `decided.<id>`: created once, so that of many decisions one counts. */
const decidedSchema = z.object({
  v: z.literal(1),
  message: messageSchema,
  /** The message is in the agent's inbox. */
  sent: z.boolean(),
});
type Decided = z.infer<typeof decidedSchema>;

const marker = (id: ApprovalId) => `decided.${id}`;
/** A decision that was not sent for so long was made by a process that has died: it is sent by whoever comes next. */
const interruptedMs = 5_000;
/** Markers of settled requests are needed as long as somebody may still decide on them a second time. */
const markerMs = 86_400_000;
const width = 32;

export async function decide(
  control: Control,
  { id, allow, by, reason }: RequestOf<'approval.decide'>,
): Promise<Result<ResponseOf<'approval.decide'>>> {
  const settled = await settle(control, id, 'approval', {
    v: 1,
    type: 'human.decided',
    id: `${id}.decided`,
    at: control.clock.now(),
    approvalId: id,
    allow,
    by,
    ...(reason === undefined ? {} : { reason }),
  });
  return settled.ok ? ok({ id, allow }) : settled;
}

export async function answer(
  control: Control,
  { id, text, by }: RequestOf<'question.answer'>,
): Promise<Result<ResponseOf<'question.answer'>>> {
  const message = {
    v: 1,
    type: 'human.answered',
    id: `${id}.answered`,
    at: control.clock.now(),
    requestId: id,
    text,
    by,
  } as const;
  const settled = await settle(control, id, 'question', message);
  return settled.ok ? ok({ id }) : settled;
}

async function settle(
  control: Control,
  id: ApprovalId,
  kind: HumanRequest['kind'],
  message: Decided['message'],
): Promise<Result<void>> {
  const { approval } = control.bus.buckets;
  const request = await pendingRequest(control, id);
  if (!request.ok) return request;
  if (request.value === undefined) return gone(control, id);
  if (request.value.kind !== kind) return otherKind(request.value);
  const created = await approval.create(marker(id), { v: 1, message, sent: false } satisfies Decided);
  if (created.ok) return sendDecided(control, request.value, { v: 1, message, sent: false }, created.value);
  if (created.failure.kind !== 'conflict') return created;
  const taken = await approval.get(marker(id));
  if (!taken.ok) return taken;
  const decided = decidedSchema.safeParse(taken.value?.value);
  if (decided.success && taken.value && !decided.data.sent && isInterrupted(control, decided.data)) {
    const sent = await sendDecided(control, request.value, decided.data, taken.value.seq);
    if (!sent.ok || saysTheSame(decided.data.message, message)) return sent;
  }
  return decidedAlready(id, decided.data);
}

const isInterrupted = ({ clock }: Control, { message }: Decided): boolean => clock.now() - message.at > interruptedMs;

const saysTheSame = (a: Decided['message'], b: Decided['message']): boolean =>
  (a.type === 'human.decided' && b.type === 'human.decided' && a.allow === b.allow) ||
  (a.type === 'human.answered' && b.type === 'human.answered' && a.text === b.text);

/** When this fails, the marker says that nothing is sent yet, and a later try completes it. */
async function sendDecided(
  control: Control,
  request: HumanRequest,
  decided: Decided,
  seq: number,
): Promise<Result<void>> {
  const sent = await send(control, request, decided.message);
  if (!sent.ok) return sent;
  await control.bus.buckets.approval.update(marker(request.id), { ...decided, sent: true }, seq);
  return ok(undefined);
}

async function pendingRequest({ bus }: Control, id: ApprovalId): Promise<Result<HumanRequest | undefined>> {
  const found = await bus.buckets.approval.get(id);
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const request = humanRequestSchema.safeParse(found.value.value);
  return request.success ? ok(request.data) : fail('damaged', `request ${id} cannot be read`);
}

/** The agent has taken its request back: it was settled, timed out, or the agent has ended. */
async function gone({ bus }: Control, id: ApprovalId): Promise<Result<never>> {
  const taken = await bus.buckets.approval.get(marker(id));
  if (!taken.ok) return taken;
  const decided = decidedSchema.safeParse(taken.value?.value);
  if (taken.value !== undefined) return decidedAlready(id, decided.data);
  return fail(
    'not_found',
    `there is no request ${id}: it was settled, timed out, or never made`,
    'hact approve lists what is asked now',
  );
}

const otherKind = ({ id, kind }: HumanRequest): Result<never> =>
  kind === 'question'
    ? fail(
        'invalid_request',
        `${id} is a question, not an approval`,
        `answer it: hact answer ${id} TEXT, or request question.answer`,
      )
    : fail(
        'invalid_request',
        `${id} is an approval, not a question`,
        `decide: hact approve ${id}, hact deny ${id}, or request approval.decide`,
      );

function decidedAlready(id: ApprovalId, decided: Decided | undefined): Result<never> {
  const message = decided?.message;
  const what =
    message?.type === 'human.decided'
      ? `${message.allow ? 'allowed' : 'denied'} by ${message.by}`
      : message?.type === 'human.answered'
        ? `answered by ${message.by}`
        : 'settled';
  return fail('conflict', `${id} was ${what} already`, 'the first decision counts');
}

/**
 * What is asked and not decided, the oldest first. A decision whose maker died before it was sent is sent on the way:
 * nobody would decide again on what is not shown any more.
 */
export async function listRequests(
  control: Control,
  { taskId }: RequestOf<'approval.list'>,
): Promise<Result<HumanRequest[]>> {
  const keys = await control.bus.buckets.approval.keys();
  if (!keys.ok) return keys;
  const decided = new Set(keys.value.filter((key) => key.startsWith('decided.')));
  const ids = keys.value.filter((key) => !key.includes('.')) as ApprovalId[];
  const requests: HumanRequest[] = [];
  const open = ids.filter((id) => !decided.has(marker(id)));
  for (let start = 0; start < open.length; start += width) {
    const group = await Promise.all(open.slice(start, start + width).map((id) => pendingRequest(control, id)));
    for (const request of group) {
      if (!request.ok) return request;
      if (request.value && (taskId === undefined || request.value.taskId === taskId)) requests.push(request.value);
    }
  }
  const unfinished = ids.filter((id) => decided.has(marker(id))).slice(0, width);
  await Promise.all(unfinished.map((id) => complete(control, id)));
  const pending = new Set(ids.map(marker));
  await dropOld(control, [...decided].filter((key) => !pending.has(key)).slice(0, width));
  return ok(requests.sort((a, b) => a.askedAt - b.askedAt));
}

async function complete(control: Control, id: ApprovalId): Promise<void> {
  const taken = await control.bus.buckets.approval.get(marker(id));
  const decided = decidedSchema.safeParse(taken.ok ? taken.value?.value : undefined);
  if (!taken.ok || taken.value === undefined || !decided.success) return;
  if (decided.data.sent || !isInterrupted(control, decided.data)) return;
  const request = await pendingRequest(control, id);
  if (request.ok && request.value !== undefined)
    await sendDecided(control, request.value, decided.data, taken.value.seq);
}

/** Markers would pile up for ever; a few old ones go whenever somebody lists. */
async function dropOld({ bus, clock }: Control, keys: readonly string[]): Promise<void> {
  const { approval } = bus.buckets;
  await Promise.all(
    keys.map(async (key) => {
      const found = await approval.get(key);
      const decided = decidedSchema.safeParse(found.ok ? found.value?.value : undefined);
      if (decided.success && clock.now() - decided.data.message.at > markerMs) await approval.delete(key);
    }),
  );
}
