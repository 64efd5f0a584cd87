import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createWebSocketReceiver, type StatelyInspectionEvent } from '@statelyai/inspect';
import { createInspectorServer } from '@statelyai/inspect/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskId } from '../../src/domain/id.js';
import { inspectorUrl, startXstateInspection, type XstateInspection } from '../../src/inspector/xstate.js';
import type { InspectionEvent } from '../../src/inspector/xstate-event.js';
import { silent } from '../../src/observe/log.js';
import { openControl, type TestControl, value } from '../control/support.js';
import { startTestNats, type TestNats } from '../support/nats.js';
import { agentChart, Life, until } from './support.js';

/** What we send is what the package declares; the compiler checks it. */
const asDeclared = (event: InspectionEvent): StatelyInspectionEvent =>
  // The package types snapshots by the library's own class, of which only the fields of the snapshot travel.
  event.type === '@xstate.snapshot' ? { ...event, snapshot: event.snapshot as never } : event;

let nats: TestNats;
let control: TestControl;
beforeAll(async () => {
  nats = await startTestNats();
  control = await openControl(nats);
});
afterAll(async () => {
  await control.bus.close();
  await nats.stop();
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The official server, which passes on what it gets, and the official receiver. */
async function startOfficial(port: number) {
  const server = createInspectorServer({ port, autoOpen: false });
  const events: StatelyInspectionEvent[] = [];
  createWebSocketReceiver({ server: `ws://127.0.0.1:${port}` }).subscribe((event) => events.push(event));
  return { events, stop: () => server.stop() };
}

async function open(target: string): Promise<XstateInspection & { connected: Promise<void> }> {
  let isConnected = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    isConnected = resolve;
  });
  const log = { ...silent, info: isConnected };
  const { feed } = control.bus;
  return { ...value(await startXstateInspection({ feed, target, machines: [agentChart], log })), connected };
}

const kindsOf = (events: readonly StatelyInspectionEvent[]) =>
  events.map((event) => [event.type, event.sessionId, event.type === '@xstate.actor' ? event.name : event.event.type]);

describe('the feed as the official XState inspector gets it', () => {
  it('tells of each agent as an actor, of each event, and of the snapshot after it', async () => {
    const port = await freePort();
    const official = await startOfficial(port);
    const inspection = await open(String(port));
    await inspection.connected;
    const planner = new Life(control, 'tsk_X1' as TaskId).start('目标 ¿qué?');
    planner.move('decide', 'done.perceive').move('act', 'done.decide', 'delegate_task', { tokens: 100 });
    const child = planner.child().start('part', planner);
    child.move('parked', 'human.paused');
    await child.end('done it');
    await until(() => official.events.filter(({ type }) => type === '@xstate.snapshot').length === 4);

    expect(kindsOf(official.events)).toEqual([
      ['@xstate.actor', 'tsk_X1', 'planner'],
      ['@xstate.event', 'tsk_X1', 'task.ordered'],
      ['@xstate.event', 'tsk_X1', 'xstate.done.actor.perceive'],
      ['@xstate.snapshot', 'tsk_X1', 'xstate.done.actor.perceive'],
      ['@xstate.event', 'tsk_X1', 'xstate.done.actor.decide'],
      ['@xstate.snapshot', 'tsk_X1', 'xstate.done.actor.decide'],
      ['@xstate.actor', 'tsk_X1-1', 'executor 1'],
      ['@xstate.event', 'tsk_X1-1', 'task.ordered'],
      ['@xstate.event', 'tsk_X1-1', 'human.paused'],
      ['@xstate.snapshot', 'tsk_X1-1', 'human.paused'],
      ['@xstate.event', 'tsk_X1-1', 'xstate.done.actor.report'],
      ['@xstate.snapshot', 'tsk_X1-1', 'xstate.done.actor.report'],
    ]);
    const [first, , , , , acting, second] = official.events;
    expect(first).toMatchObject({ rootId: 'tsk_X1', snapshot: { status: 'active', context: { goal: '目标 ¿qué?' } } });
    expect(JSON.parse(first?.type === '@xstate.actor' ? (first.definition ?? '') : '')).toMatchObject({
      id: 'agent',
      states: { act: { states: { running: { invoke: [{ src: 'callTools' }] } } } },
    });
    expect(acting).toMatchObject({ snapshot: { status: 'active', value: { act: 'running' }, context: { round: 1 } } });
    expect(second).toMatchObject({ parentId: 'tsk_X1', rootId: 'tsk_X1' });
    expect(official.events.at(-1)).toMatchObject({ snapshot: { status: 'done', output: { summary: 'done it' } } });
    const fields = (event: StatelyInspectionEvent) => typeof event.createdAt === 'string' && event._version === '0.7.2';
    expect(official.events.every(fields)).toBe(true);
    await inspection.close();
    official.stop();
  });

  it('tells an inspector that comes later who is there already', async () => {
    const port = await freePort();
    const inspection = await open(`http://127.0.0.1:${port}`);
    const agent = new Life(control, 'tsk_X2' as TaskId).start('g').move('decide', 'done.perceive');
    await until(async () => value(await control.bus.feed.last('tsk_X2' as TaskId)) > 0);
    const official = await startOfficial(port);
    await until(() => official.events.length > 0);
    expect(official.events).toMatchObject([
      { type: '@xstate.actor', sessionId: agent.agentId, snapshot: { value: 'decide' } },
    ]);
    await inspection.close();
    official.stop();
  });

  it('is of the types that the package declares', () => {
    expect(asDeclared).toBeTypeOf('function');
  });
});

describe('where an inspector is', () => {
  it('may be a port or a url', () => {
    expect(value(inspectorUrl('8080'))).toBe('ws://127.0.0.1:8080/');
    expect(value(inspectorUrl('https://example.org/x'))).toBe('wss://example.org/x');
  });

  it.each(['', 'nonsense', 'file:///etc/passwd', 'javascript:alert(1)'])('is not %j', (target) => {
    expect(inspectorUrl(target)).toMatchObject({ ok: false, failure: { kind: 'invalid_config' } });
  });
});
