/** Messages that nobody sends who means well, at every subject that workers listen on. Journals are left alone. */
import { createConnection } from 'node:net';
import { namesOf } from '../../src/bus/subject.js';
import type { House } from './house.js';

/** More than a server takes. */
const oversizeBytes = 2 << 20;
const largeBytes = 900_000;

export async function throwDamaged(house: House, random: () => number, count: number): Promise<void> {
  const names = namesOf(house.runtime.settings.nats.prefix, 8);
  const stranger = await house.stranger();
  const agents = await house.runtime.bus.inbox.agents();
  const living = agents.ok ? [...agents.value.keys()] : [];
  const subjects = [
    ...living.flatMap((agentId) => [names.inbox(agentId), names.control(agentId), names.heard('task', agentId)]),
    ...['planner', 'executor'].map((role) => names.wake({ role, priority: 'normal' })),
    ...['task.submit', 'task.cancel', 'approval.decide'].map((name) => names.request(name)),
    names.timer,
    names.inbox('tsk_nobody'),
    names.event('tsk_1', 'tsk_1', 'moved'),
    names.host('h_0_0'),
    names.dead('tsk_1'),
  ];
  for (let n = 0; n < count; n += 1) {
    const subject = subjects[Math.floor(random() * subjects.length)] ?? names.timer;
    stranger.publish(subject, garbage(n === 0 ? largeBytes : Math.floor(random() * 200), random));
  }
  await stranger.flush();
  await oversize(house, names.inbox('tsk_nobody'));
}

/** Bytes, or the beginning of something that looks like a message. */
function garbage(length: number, random: () => number): Buffer {
  if (random() < 0.5)
    return Buffer.from(`{"v":1,"type":"human.corrected","id":"m","at":1,"text":"${'x'.repeat(length)}`);
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

/** A message that the server must refuse; it closes such a connection. */
async function oversize({ runtime }: House, subject: string): Promise<void> {
  const { port, hostname } = new URL(runtime.server.url);
  await new Promise<void>((resolve) => {
    const socket = createConnection(Number(port), hostname);
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.on('data', () => undefined);
    socket.setTimeout(5_000, () => socket.destroy());
    const options = JSON.stringify({ auth_token: runtime.server.token, verbose: false, pedantic: false });
    socket.write(`CONNECT ${options}\r\nPUB ${subject} ${oversizeBytes}\r\n`);
  });
}
