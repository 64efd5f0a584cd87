/** A worker process, put together by the product's own construction; and the supervisor that starts the next one when it dies. */
import { type AgentDefinition, defineAgent } from '../../../agents/definition.js';
import { executorAgent } from '../../../agents/executor.js';
import { plannerAgent } from '../../../agents/planner.js';
import { assembleWorker, type Worker } from '../../../src/app/assemble.js';
import { type Logger, silent } from '../../../src/observe/log.js';
import { MARKERS } from '../../../src/parse/markers.js';
import { createRedactor } from '../../../src/safety/redact.js';
import { noTrail } from '../../../src/safety/trail.js';
import type { SimProcess } from '../kernel/process.js';
import { modelIn } from '../outside/model.js';
import { executorKit, plannerKit } from '../outside/tools.js';
import { type Stage, settings, start } from './stage.js';

const redactor = createRedactor();

/** One place on a machine where a worker runs, is killed, and is started again. */
export class WorkerSlot {
  process: SimProcess;
  private worker: Worker | undefined;
  private lives = 0;

  constructor(
    private readonly stage: Stage,
    private readonly name: string,
    /** ms after its death until the supervisor starts the next. */
    private readonly restartMs: () => number,
  ) {
    this.process = this.begin();
  }

  /** Takes its leave in good order. */
  drain(): void {
    const { process, worker } = this;
    if (worker === undefined || !process.alive) return;
    void worker.drain().then(() => process.kill());
  }

  private begin(): SimProcess {
    this.lives += 1;
    const name = `${this.name}_${this.lives}`;
    const { process, control } = start(this.stage, name);
    this.stage.history.add('process.started', { process: name });
    process.onDeath(() => {
      this.stage.history.add('process.ended', { process: name });
      this.worker = undefined;
      this.stage.world.after(this.restartMs(), () => {
        this.process = this.begin();
      });
    });
    void this.run(process, control);
    return process;
  }

  private async run(process: SimProcess, control: Parameters<typeof assembleWorker>[0]['control']): Promise<void> {
    const { stage } = this;
    const { brain, history, modelMood, world } = stage;
    const worker = await assembleWorker({
      control,
      settings,
      hostId: process.name,
      agents: agentsIn(process, stage),
      model: stage.seams.model(modelIn(process, history, brain, modelMood)),
      markers: MARKERS,
      corpus: () => [],
      log: logOf(process, stage),
      redactor,
      trail: noTrail(redactor),
      random: world.random,
      load: () => 0,
      concurrency: 16,
    });
    if (worker.ok) this.worker = worker.value;
    else process.kill(); // as the program does: it says why and leaves
  }
}

const agentsIn = (process: SimProcess, { history, seams, toolMood }: Stage): AgentDefinition[] => [
  plannerAgent(plannerKit.map(seams.tool)),
  executorAgent(executorKit(process, history, toolMood).map(seams.tool)),
  defineAgent({
    name: 'chief',
    instructions: 'You plan and hand out plans.',
    tools: plannerKit.map(seams.tool),
    childRole: 'planner',
  }),
];

/** Errors in the product's log are bugs. */
function logOf(process: SimProcess, stage: Stage): Logger {
  const log: Logger = {
    ...silent,
    error: (message, fields) => {
      if (process.alive) stage.onBug(`${process.name}: ${message} ${String(fields?.where ?? '')}`, fields?.error);
    },
    with: () => log,
  };
  return log;
}
