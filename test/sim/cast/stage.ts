/** What all simulated processes of a schedule share. */

import type { Bus } from '../../../src/bus/contract.js';
import { settingsSchema } from '../../../src/config/settings.js';
import type { Control } from '../../../src/control/control.js';
import { idsFrom } from '../../../src/control/control.js';
import type { Clock } from '../../../src/domain/clock.js';
import type { Model } from '../../../src/llm/model.js';
import { schemaProblem } from '../../../src/tools/schema-result.js';
import type { Tool } from '../../../src/tools/tool.js';
import { connect } from '../bus/bus.js';
import type { Link } from '../bus/link.js';
import type { SimServer } from '../bus/server.js';
import type { History } from '../history.js';
import { SimProcess } from '../kernel/process.js';
import type { World } from '../kernel/world.js';
import type { Brain } from '../outside/brain.js';
import type { ModelMood } from '../outside/model.js';
import type { ToolMood } from '../outside/tools.js';

/** The product's own settings, with times that suit a short life. */
export const settings = settingsSchema.parse({
  worker: { leaseMs: 3_000, drainMs: 2_000 },
  approval: { timeoutMs: 8_000 },
  limits: { depth: 3 },
});

/** Where a planted bug is put between a process and its ports. Nothing of it is in the product. */
export interface Seams {
  readonly bus: (bus: Bus, process: SimProcess) => Bus;
  readonly clock: (clock: Clock) => Clock;
  readonly model: (model: Model) => Model;
  /** Each tool of an executor, and each of a planner. */
  readonly tool: (tool: Tool) => Tool;
}

const same = <T>(value: T): T => value;
export const noSeams: Seams = { bus: same, clock: same, model: same, tool: same };

export interface Stage {
  readonly world: World;
  readonly server: SimServer;
  readonly history: History;
  readonly brain: Brain;
  readonly modelMood: ModelMood;
  readonly toolMood: ToolMood;
  /** Processes that live. */
  readonly processes: Set<SimProcess>;
  readonly links: Map<SimProcess, Link>;
  readonly seams: Seams;
  /** A line of the product's log that must never be written. */
  onBug(where: string, error: unknown): void;
}

export interface Started {
  readonly process: SimProcess;
  readonly control: Control;
}

export function start(stage: Stage, kind: string): Started {
  const process = new SimProcess(stage.world, kind);
  const { bus, link } = connect(process, stage.server);
  stage.processes.add(process);
  stage.links.set(process, link);
  process.onDeath(() => {
    stage.processes.delete(process);
    stage.links.delete(process);
  });
  const control: Control = {
    bus: stage.seams.bus(bus, process),
    prefix: 'hact.v1',
    defaults: settings,
    clock: stage.seams.clock(process.clock),
    ids: idsFrom((count) => stage.world.bytes(count)),
    schemaProblem,
  };
  return { process, control };
}
