/** The tools of simulated executors. What they do to the world is written down outside: each start, and each finish. */
import { z } from 'zod';
import type { JsonObject } from '../../../src/domain/json.js';
import { askUser, delegateTask, finish } from '../../../src/tools/builtin/control.js';
import { defineTool, type Tool, type ToolContext } from '../../../src/tools/tool.js';
import type { History } from '../history.js';
import type { SimProcess } from '../kernel/process.js';

/** How tools behave, as shares of calls. */
export interface ToolMood {
  error: number;
  hang: number;
  /** Ends long after its time-out, with a value or an error. */
  late: number;
  huge: number;
  /** Returns what is no JSON. */
  odd: number;
}

export const soundTools: ToolMood = { error: 0, hang: 0, late: 0, huge: 0, odd: 0 };

const parameters = z.object({ n: z.int().describe('which one') });
const timeoutMs = 3_000;
const sample = (name: string, more: Partial<Parameters<typeof defineTool<typeof parameters>>[0]>): Tool =>
  defineTool({ name, description: `${name} a thing`, parameters, timeoutMs, run: () => 'done', ...more } as never);

/** Made once: a tool's schema costs more than a schedule may. */
const samples: readonly Tool[] = [
  sample('compute', { effect: 'pure' }),
  sample('look', { effect: 'read' }),
  sample('note', { effect: 'idempotent' }),
  sample('pay', { effect: 'unsafe' }),
  sample('wipe', { effect: 'unsafe', destructive: true }),
  /** Kills its process. */
  sample('bomb', { effect: 'read' }),
];
export const plannerKit: readonly Tool[] = [delegateTask, askUser, finish];

/** The tools as they run in one process. */
export const executorKit = (process: SimProcess, history: History, mood: ToolMood): Tool[] => [
  ...samples.map(
    (tool): Tool => ({
      ...tool,
      behaviour: { route: 'tool', run: (args, context) => run(tool, args, context, process, history, mood) },
    }),
  ),
  askUser,
  finish,
];

function run(
  tool: Tool,
  args: JsonObject,
  context: ToolContext,
  process: SimProcess,
  history: History,
  mood: ToolMood,
): Promise<unknown> {
  const { world } = process;
  const { name, effect } = tool.declaration;
  const { agentId, callId, taskId, idempotencyKey } = context;
  const about = { task: taskId, agent: agentId, call: callId, tool: name, process: process.name };
  history.add('tool.started', { ...about, effect, key: idempotencyKey, args });
  if (name === 'bomb') {
    history.add('fault', { fault: 'bomb', process: process.name });
    process.kill();
    return new Promise(() => undefined);
  }
  const fault = chosen(world.random(), mood);
  if (fault !== undefined) history.add('fault', { fault: `tool ${fault}`, process: process.name });
  if (fault === 'hang') return new Promise(() => undefined);
  const tookMs = fault === 'late' ? timeoutMs + world.between(1, 5_000) : world.between(1, 400);
  const isGood = fault !== 'error' && !(fault === 'late' && world.chance(0.5));
  return new Promise((resolve, reject) => {
    // What was begun outside ends there, whatever becomes of the process that began it.
    world.after(tookMs, () => {
      history.add('tool.finished', { ...about, ok: isGood });
      process.enter(() => (isGood ? resolve(outcomeOf(fault, args)) : reject(new Error(`${name} broke`))));
    });
  });
}

function chosen(share: number, mood: ToolMood): keyof ToolMood | undefined {
  let sum = 0;
  for (const [name, part] of Object.entries(mood) as [keyof ToolMood, number][]) {
    sum += part;
    if (share < sum) return name;
  }
  return undefined;
}

function outcomeOf(fault: keyof ToolMood | undefined, args: JsonObject): unknown {
  if (fault === 'huge')
    return Array.from({ length: 400 }, (_, index) => `line ${index} of ${String(args.n)}`).join('\n');
  if (fault !== 'odd') return { done: args.n };
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  return cycle;
}
