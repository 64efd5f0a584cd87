/** The executor of the benchmark: echoes a sum, or makes the steps it is asked for, one tool call a round. */
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { executorAgent } from '../../../agents/executor.js';
import type { ModelRequest } from '../../../src/llm/model.js';
import { defineTool } from '../../../src/tools/tool.js';
import { goalOf, lastResults, type Said } from './script.js';

const crashSteps = 5;
const crashStepMs = 400;

const numbered = z.object({ k: z.int() });

/** What one step of an agent would record, about 250 bytes: the same as the peers'. */
const step = defineTool({
  name: 'step',
  description: 'Makes a step.',
  parameters: numbered,
  effect: 'pure',
  run: ({ k }) => ({ k, text: 'x'.repeat(200), usage: { in: 100, out: 20 } }),
});

/** A step of the crash test: it takes a while, and tells the harness when it begins and ends. */
const slowStep = defineTool({
  name: 'slow_step',
  description: 'Makes a slow step.',
  parameters: numbered.extend({ id: z.string() }),
  effect: 'idempotent',
  async run({ id, k }) {
    const tell = (what: string) =>
      appendFileSync(process.env.CRASH_LOG ?? '/dev/null', `${id} ${what} ${k} ${process.pid} ${Date.now()}\n`);
    tell('start');
    await pause(crashStepMs);
    tell('done');
    return { k };
  },
});

export const echoExecutor = executorAgent([step, slowStep]);

/** `add A B`, `flow RUN STEPS`, `crash ID`. */
export function executorSays(request: ModelRequest): Said {
  const [what, one = '', other = ''] = goalOf(request).split(' ');
  if (what === 'add') return String(Number(one) + Number(other));
  const steps = what === 'crash' ? crashSteps : Number(other);
  const done = /"k":\s*(\d+)/.exec(lastResults(request.messages).at(-1) ?? '')?.[1];
  const k = done === undefined ? 0 : Number(done) + 1;
  if (k === steps) return String(steps);
  return what === 'crash' ? [{ name: 'slow_step', arguments: { id: one, k } }] : [{ name: 'step', arguments: { k } }];
}
