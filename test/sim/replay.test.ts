/** A journal alone gives the agent that its hosts had: replayed without its snapshot, it comes to the same one. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { agentMachine } from '../../machines/agent.js';
import { machineVersion, migrations } from '../../machines/version.js';
import type { Bus } from '../../src/bus/contract.js';
import { ok } from '../../src/domain/failure.js';
import type { AgentId } from '../../src/domain/id.js';
import type { JournalRecord, Snapshot } from '../../src/domain/journal.js';
import { canonicalJson, type Json } from '../../src/domain/json.js';
import { takeSnapshot } from '../../src/host/hosted.js';
import { load } from '../../src/host/load.js';
import type { Role } from '../../src/host/role.js';
import { stepperOf } from '../../src/host/stepper.js';
import type { SimServer } from './bus/server.js';
import { playOut } from './schedule.js';

const seeds = Array.from({ length: 60 }, (_, index) => 701 + index);
const stepper = stepperOf(agentMachine);

/** What the records up to those of a snapshot come to, and how many hosts wrote them. */
async function replayed(
  server: SimServer,
  stored: Snapshot,
): Promise<{ snapshot: Snapshot | undefined; hosts: number }> {
  const agentId = stored.agentId as AgentId;
  const records = server.journal.read<JournalRecord>(agentId, 0).filter(({ seq }) => seq <= stored.seq);
  const bus = {
    buckets: { agent: { get: async () => ok(undefined) } },
    journal: { read: async () => ok(records) },
  } as unknown as Bus;
  const role = { name: stored.role, machine: agentMachine, machineVersion, migrations } as unknown as Role;
  const loaded = await load(bus, agentId, role, stepper, stored);
  if (!loaded.ok || loaded.value === 'ended') throw new Error(JSON.stringify(loaded));
  const hosts = new Set(records.map(({ value }) => value.epoch)).size;
  return { snapshot: takeSnapshot(loaded.value.hosted, stored.parked), hosts };
}

const hashOf = (snapshot: Snapshot | undefined): string =>
  createHash('sha256')
    .update(canonicalJson((snapshot ?? null) as unknown as Json))
    .digest('hex');

describe('journals of schedules full of faults', () => {
  it('give the snapshots that their hosts stored, to the byte', async () => {
    let agents = 0;
    let takenOver = 0;
    for (const seed of seeds) {
      const { server } = await playOut(seed);
      for (const key of server.buckets.agent.keys()) {
        const stored = server.buckets.agent.get(key)?.value as unknown as Snapshot;
        if (stored.seq === 0) continue; // laid aside: it includes no record
        const { hosts, snapshot } = await replayed(server, stored);
        expect(hashOf(snapshot), `${key} of seed ${seed}`).toBe(hashOf(stored));
        agents += 1;
        if (hosts > 1) takenOver += 1;
      }
    }
    expect(agents).toBeGreaterThan(100);
    expect(takenOver).toBeGreaterThan(30);
  }, 120_000);
});
