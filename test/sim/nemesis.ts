/** Carries out the blows of a scenario, and heals everything when their time is over. */

import { calm, type Weather } from './bus/link.js';
import type { ClientSlot } from './cast/client.js';
import type { Stage } from './cast/stage.js';
import type { WorkerSlot } from './cast/worker.js';
import type { SimProcess } from './kernel/process.js';
import { soundModel } from './outside/model.js';
import { soundTools } from './outside/tools.js';
import type { Blow, Scenario } from './scenario.js';

export interface Targets {
  readonly workers: readonly WorkerSlot[];
  readonly client: ClientSlot;
  readonly weather: Weather;
}

/** Returns the way to end it before its time, when nothing is left to be hit. */
export function unleash(stage: Stage, scenario: Scenario, targets: Targets): () => void {
  const { world, history } = stage;
  let isOver = false;
  for (const blow of scenario.blows) {
    world.after(blow.atMs, () => {
      const victim = isOver ? undefined : strike(stage, blow, targets);
      if (victim !== undefined) history.add('fault', { fault: blow.kind, process: victim, ms: lastsMs(blow) });
    });
  }
  const end = (): void => {
    if (!isOver) heal(stage, targets);
    isOver = true;
  };
  world.after(scenario.faultMs, end);
  return end;
}

/** Until it is over by itself; 0 for what is over at once. */
function lastsMs({ kind, lengthMs }: Blow): number {
  if (kind === 'restart server') return lengthMs / 4;
  return kind === 'freeze worker' || kind.startsWith('cut') || kind === 'fill disk' ? lengthMs : 0;
}

/** The victim's name; undefined when there was nobody to hit. */
function strike(stage: Stage, blow: Blow, { workers, client }: Targets): string | undefined {
  const { server, world } = stage;
  const { kind } = blow;
  const ms = lastsMs(blow);
  const living = workers.map(({ process }) => process).filter((process) => process.state === 'running');
  const victim = living.length === 0 ? undefined : world.pick(living);
  switch (kind) {
    case 'kill worker':
      return on(victim, (process) => process.kill());
    case 'lose worker':
      return on(victim, (process) => process.kill(true));
    case 'kill all':
      for (const process of [...stage.processes]) if (process.name !== 'human') process.kill();
      return 'all';
    case 'freeze worker':
      return on(victim, (process) => {
        process.freeze();
        world.after(ms, () => process.resume());
      });
    case 'cut worker':
      return on(victim, (process) => cut(stage, process, ms));
    case 'drain worker':
      workers.find(({ process }) => process === victim)?.drain();
      return victim?.name;
    case 'kill client':
      return on(client.process, (process) => process.kill());
    case 'cut client':
      return on(client.process, (process) => cut(stage, process, ms));
    case 'restart server':
      server.restart(ms);
      return 'server';
    case 'fill disk':
      server.refusing = true;
      world.after(ms, () => {
        server.refusing = false;
      });
      return 'server';
    case 'skew clock':
      return on(victim, (process) => {
        process.skewMs += world.pick([-1, 1]) * world.between(100, 5_000);
      });
    case 'jump clock':
      return on(victim, (process) => {
        process.skewMs -= world.between(1_000, 5_000);
      });
    case 'warp clock':
      return on(victim, (process) => {
        process.rate = world.pick([0.9, 1.1, 1.5]);
      });
  }
}

function on(process: SimProcess | undefined, act: (process: SimProcess) => void): string | undefined {
  if (process === undefined || !process.alive) return undefined;
  act(process);
  return process.name;
}

function cut(stage: Stage, process: SimProcess, lengthMs: number): void {
  const link = stage.links.get(process);
  link?.connect(false);
  stage.world.after(lengthMs, () => link?.connect(true));
}

/** From here on nothing goes wrong any more. */
function heal(stage: Stage, { weather }: Targets): void {
  Object.assign(weather, calm);
  Object.assign(stage.modelMood, soundModel);
  Object.assign(stage.toolMood, soundTools);
  stage.server.refusing = false;
  for (const process of [...stage.processes]) {
    process.resume();
    process.skewMs = 0;
    process.rate = 1;
    stage.links.get(process)?.connect(true);
  }
  stage.history.add('healed', {});
}
