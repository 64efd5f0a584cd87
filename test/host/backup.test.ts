/** The store of a server that has stopped is a back-up: put elsewhere, tasks in mid-flight go on there. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBus } from '../../src/bus/connect.js';
import { startServer } from '../../src/bus/server.js';
import type { AgentId } from '../../src/domain/id.js';
import { startTestBuses } from '../support/nats-bus.js';
import { answer, orThrow, Stage } from './stage.js';

it('goes on where it was, elsewhere, and does nothing twice', async () => {
  const buses = await startTestBuses();
  const elsewhere = await mkdtemp(join(tmpdir(), 'hact-restored-'));
  const stage = await Stage.open(buses, 'backup');
  await stage.start();
  await stage.order('a1', 'wait');
  await stage.rests('a1', 'parked');
  const before = await stage.journal('a1');
  await stage.end();
  await buses.nats.halt();
  await cp(join(buses.nats.folder, 'store'), join(elsewhere, 'store'), { recursive: true });

  const restored = orThrow(await startServer({ folder: elsewhere, env: process.env, fetch: false }));
  const again = await Stage.open(
    {
      ...buses,
      open: async (options) => orThrow(await openBus({ servers: restored.url, token: restored.token, ...options })),
    },
    'backup',
  );
  expect(await again.journal('a1')).toEqual(before);
  await again.start();
  await again.send('a1', answer('on and on'));
  await again.rests('a1', 'finished');
  expect((await again.journal('a1')).slice(0, before.length)).toEqual(before);
  expect(orThrow(await again.bus.inbox.read('a1' as AgentId, 0))).toEqual([]);
  await again.end();
  await restored.kill();
  await buses.end();
  await rm(elsewhere, { recursive: true, force: true });
});
