import { connect } from 'nats';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../src/bus/lock.js';
import { startTestNats, type TestNats } from '../support/nats.js';

describe('an embedded server', () => {
  let nats: TestNats | undefined;
  afterEach(() => nats?.stop());

  it('answers with JetStream on loopback to those who have the token, and leaves nothing when stopped', async () => {
    nats = await startTestNats();
    const connection = await connect({ servers: nats.url, token: nats.token });
    expect(connection.info?.jetstream).toBe(true);
    await connection.close();
    await expect(connect({ servers: nats.url, token: 'wrong', reconnect: false })).rejects.toThrow();
    const { pid } = nats;
    await nats.kill();
    expect(isAlive(pid)).toBe(false);
    await nats.restart();
    const again = await connect({ servers: nats.url, token: nats.token });
    await again.close();
  });
});
