/** The people: they look at what is asked, allow some, deny some, leave some alone, and sometimes decide twice. */
import { type Client, createClient } from '../../../src/control/client.js';
import type { HumanRequest } from '../../../src/domain/human.js';
import type { SimProcess } from '../kernel/process.js';
import type { Scenario } from '../scenario.js';
import { type Stage, start } from './stage.js';

const lookMs = 700;

export function startHuman(stage: Stage, mind: Scenario['human'], isOver: () => boolean): SimProcess {
  const { process, control } = start(stage, 'human');
  void look(stage, process, createClient(control), mind, isOver);
  return process;
}

async function look(
  stage: Stage,
  process: SimProcess,
  client: Client,
  mind: Scenario['human'],
  isOver: () => boolean,
): Promise<void> {
  const { world } = stage;
  const seen = new Set<string>();
  while (!isOver()) {
    await process.clock.sleep(lookMs);
    const asked = await client.approvals();
    if (!asked.ok) continue;
    for (const request of asked.value.requests) {
      if (seen.has(request.id)) continue;
      seen.add(request.id);
      noteRequest(stage, request);
      const share = world.random();
      const intends = share < mind.allow ? true : share < mind.allow + mind.deny ? false : undefined;
      if (intends === undefined) continue;
      const again = world.chance(0.2);
      process.after(world.between(0, 1_500), () => void decide(stage, client, request, intends));
      // Another tab, and perhaps another mind.
      if (again) process.after(world.between(0, 3_000), () => void decide(stage, client, request, world.chance(0.5)));
    }
  }
}

function noteRequest({ history }: Stage, request: HumanRequest): void {
  const { id, taskId, agentId, callId } = request;
  const about = { request: id, task: taskId, agent: agentId, call: callId };
  if (request.kind === 'question') history.add('human.asked', about);
  else history.add('human.asked', { ...about, tool: request.tool, args: request.arguments });
}

async function decide({ history }: Stage, client: Client, request: HumanRequest, allow: boolean): Promise<void> {
  const { id } = request;
  const about = { request: id, allow };
  history.add('human.deciding', about);
  const done =
    request.kind === 'question'
      ? await client.answer({ id, text: 'the blue one', by: 'bo' })
      : await client.decide({ id, allow, by: 'bo' });
  history.add('human.decided', { ...about, outcome: done.ok ? 'ok' : done.failure.kind });
}
