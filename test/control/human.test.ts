import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, decide, listRequests } from '../../src/control/human.js';
import { acceptSubmission } from '../../src/control/submit.js';
import type { HumanRequest } from '../../src/domain/human.js';
import type { AgentId, ApprovalId, RoleName } from '../../src/domain/id.js';
import type { Json } from '../../src/domain/json.js';
import { startTestNats, type TestNats } from '../support/nats.js';
import { away, openControl, type TestControl, value, withBus } from './support.js';

let nats: TestNats;
let at: TestControl;
let made = 0;
beforeAll(async () => {
  nats = await startTestNats();
  at = await openControl(nats);
});
afterAll(async () => {
  await at.bus.close();
  await nats.stop();
});

/** An agent that asks, as the host stores it. */
async function ask(kind: HumanRequest['kind'], askedAt = 5): Promise<HumanRequest> {
  const { taskId } = value(await acceptSubmission(at, { goal: 'g' }));
  made += 1;
  const base = {
    v: 1,
    id: `apr_${made}` as ApprovalId,
    taskId,
    agentId: taskId as string as AgentId,
    role: 'planner' as RoleName,
    priority: 'normal',
    callId: 'r1c1',
    askedAt,
  } as const;
  const request: HumanRequest =
    kind === 'approval'
      ? { ...base, kind, tool: 'write_file', arguments: { path: '报告.md' }, hash: 'abc' }
      : { ...base, kind, question: 'Which year?' };
  value(await at.bus.buckets.approval.put(request.id, request as unknown as Json));
  return request;
}

const taken = async ({ agentId }: HumanRequest) =>
  value(await at.bus.inbox.read(agentId, 0))
    .map((stored) => stored.value)
    .filter(({ type }) => type !== 'task.ordered');

describe('a decision', () => {
  it('reaches the agent with who decided and why', async () => {
    const request = await ask('approval');
    expect(value(await decide(at, { id: request.id, allow: false, by: 'ana', reason: 'wrong folder' }))).toEqual({
      id: request.id,
      allow: false,
    });
    expect(await taken(request)).toMatchObject([
      { type: 'human.decided', approvalId: request.id, allow: false, by: 'ana', reason: 'wrong folder' },
    ]);
  });

  it('is accepted exactly once out of a hundred at the same time', async () => {
    const request = await ask('approval');
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, n) => decide(at, { id: request.id, allow: n % 2 === 0, by: `person ${n}` })),
    );
    const accepted = all.filter(({ ok }) => ok);
    expect(accepted).toHaveLength(1);
    expect(all.filter((one) => !one.ok && one.failure.kind === 'conflict')).toHaveLength(99);
    expect(await taken(request)).toMatchObject([{ allow: accepted[0]?.ok && accepted[0].value.allow }]);
  });

  it('stays decided when the agent has taken its request back', async () => {
    const request = await ask('approval');
    value(await decide(at, { id: request.id, allow: true, by: 'ana' }));
    value(await at.bus.buckets.approval.delete(request.id));
    expect(await decide(at, { id: request.id, allow: false, by: 'bo' })).toMatchObject({
      failure: { kind: 'conflict', message: expect.stringContaining('allowed by ana') },
    });
  });

  it('needs a request that was made', async () => {
    expect(await decide(at, { id: 'apr_none' as ApprovalId, allow: true, by: 'ana' })).toMatchObject({
      failure: { kind: 'not_found', message: expect.stringContaining('apr_none') },
    });
  });

  it('is not an answer, and an answer is not a decision', async () => {
    const question = await ask('question');
    const approval = await ask('approval');
    expect(await decide(at, { id: question.id, allow: true, by: 'ana' })).toMatchObject({
      failure: { kind: 'invalid_request', hint: expect.stringContaining('hact answer') },
    });
    expect(await answer(at, { id: approval.id, text: 'x', by: 'ana' })).toMatchObject({
      failure: { kind: 'invalid_request', hint: expect.stringContaining('hact approve') },
    });
    value(await answer(at, { id: question.id, text: '2025', by: 'ana' }));
    expect(await taken(question)).toMatchObject([{ type: 'human.answered', requestId: question.id, text: '2025' }]);
  });

  it('that was not sent is sent by the next who decides, once it is certain that nobody is at it', async () => {
    const request = await ask('approval');
    const broken = withBus(at, (bus) => ({ inbox: { ...bus.inbox, put: away } }));
    expect(await decide(broken, { id: request.id, allow: true, by: 'ana' })).toMatchObject({ ok: false });
    expect(await decide(at, { id: request.id, allow: true, by: 'bo' })).toMatchObject({
      failure: { kind: 'conflict' },
    });
    expect(await taken(request)).toEqual([]);
    at.clock.set(at.clock.now() + 6_000);
    expect(await decide(at, { id: request.id, allow: false, by: 'bo' })).toMatchObject({
      failure: { kind: 'conflict' },
    });
    expect(await taken(request)).toMatchObject([{ allow: true, by: 'ana' }]);
    expect(await decide(at, { id: request.id, allow: true, by: 'ana' })).toMatchObject({
      failure: { kind: 'conflict' },
    });
    expect(await taken(request)).toHaveLength(1);
  });

  it('can be repeated by whoever made it and heard that it was not sent', async () => {
    const request = await ask('approval');
    const broken = withBus(at, (bus) => ({ inbox: { ...bus.inbox, put: away } }));
    await decide(broken, { id: request.id, allow: true, by: 'ana' });
    at.clock.set(at.clock.now() + 6_000);
    value(await decide(at, { id: request.id, allow: true, by: 'ana' }));
    expect(await taken(request)).toMatchObject([{ allow: true, by: 'ana' }]);
  });
});

describe('the list of requests', () => {
  it('shows what is asked and undecided, the oldest first, of one task or of all', async () => {
    const late = await ask('approval', 30);
    const early = await ask('question', 10);
    const decided = await ask('approval', 20);
    value(await decide(at, { id: decided.id, allow: true, by: 'ana' }));
    const all = value(await listRequests(at, {})).map(({ id }) => id);
    expect(all.indexOf(early.id)).toBeLessThan(all.indexOf(late.id));
    expect(all).not.toContain(decided.id);
    expect(value(await listRequests(at, { taskId: late.taskId }))).toEqual([late]);
  });

  it('sends what was decided by somebody who died before it was sent, and does not ask again', async () => {
    const request = await ask('approval');
    const broken = withBus(at, (bus) => ({ inbox: { ...bus.inbox, put: away } }));
    await decide(broken, { id: request.id, allow: false, by: 'ana' });
    value(await listRequests(at, {}));
    expect(await taken(request), 'somebody may be at it').toEqual([]);
    at.clock.set(at.clock.now() + 6_000);
    expect(value(await listRequests(at, { taskId: request.taskId }))).toEqual([]);
    value(await listRequests(at, {}));
    expect(await taken(request)).toMatchObject([{ allow: false, by: 'ana' }]);
  });

  it('forgets decisions of a day ago whose requests are gone', async () => {
    const request = await ask('approval');
    value(await decide(at, { id: request.id, allow: true, by: 'ana' }));
    value(await at.bus.buckets.approval.delete(request.id));
    value(await listRequests(at, {}));
    expect(value(await at.bus.buckets.approval.keys())).toContain(`decided.${request.id}`);
    at.clock.set(at.clock.now() + 86_400_001);
    value(await listRequests(at, {}));
    expect(value(await at.bus.buckets.approval.keys())).not.toContain(`decided.${request.id}`);
  });
});
