/** The proxy of the chaos tells messages apart however they are cut into packets. */
import { expect, it } from 'vitest';
import { Frames, isMessage } from '../support/nats-frames.js';

const payload = 'a\r\nPUB b 1\r\n';
const frames = [
  'CONNECT {"verbose":false}\r\n',
  `PUB hact.v1.in.a _INBOX.1 ${payload.length}\r\n${payload}\r\n`,
  'PING\r\n',
  'HPUB x 12 14\r\nNATS/1.0\r\n\r\nhi\r\n',
  'MSG y 1 0\r\n\r\n',
  '+OK\r\n',
];

it('finds the same frames whatever the size of the pieces', () => {
  const whole = Buffer.from(frames.join(''));
  for (let size = 1; size <= whole.length; size += 1) {
    const cutter = new Frames();
    const found: string[] = [];
    for (let at = 0; at < whole.length; at += size)
      found.push(...cutter.push(whole.subarray(at, at + size)).map(String));
    expect(found, `pieces of ${size}`).toEqual(frames);
  }
});

it('knows which of them are messages', () => {
  expect(frames.map((frame) => isMessage(Buffer.from(frame)))).toEqual([false, true, false, true, true, false]);
});
