/** A worker process of the chaos. Its tools keep the ledger outside. `node worker.js ROLE LEDGER SETTINGS` */
import { z } from 'zod';
import { defineAgent, defineTool, delegateTask, finish, startWorker, type Tool } from '../../src/index.js';
import { booked } from '../support/demo/ledger.js';

const [role = '', ledger = '', settings = '{}'] = process.argv.slice(2);
const longestMs = 60;

// The ledger is outside: a jump of this process's clock is none of its.
const wall = Date.now.bind(Date);
let skewMs = 0;
Date.now = () => wall() + skewMs;
process.on('message', (message: { skewMs?: number; measure?: true }) => {
  skewMs = message.skewMs ?? skewMs;
  if (message.measure !== true) return;
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ keptBytes: heapUsed + external });
});

const toolOf = (name: string, effect: 'unsafe' | 'read' | 'idempotent'): Tool =>
  booked(
    defineTool({
      name,
      description: `Does ${name} for a key.`,
      parameters: z.object({ key: z.string() }),
      effect,
      run: async ({ key }, { signal }) => {
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(resolve, (key.length * 7) % longestMs);
          signal.addEventListener('abort', () => {
            clearTimeout(timer);
            reject(signal.reason as Error);
          });
        });
        return `${name} ${key}`;
      },
    }),
    ledger,
    wall,
  );
/** A call that takes its process along. */
const crash: Tool = booked(
  defineTool({
    name: 'crash',
    description: 'Ends the process.',
    parameters: z.object({ key: z.string() }),
    effect: 'read',
    run: () => {
      process.kill(process.pid, 'SIGKILL');
      return new Promise<string>(() => {});
    },
  }),
  ledger,
  wall,
);

const tools = [toolOf('charge', 'unsafe'), toolOf('look', 'read'), toolOf('put', 'idempotent'), crash, finish];
const instructions = 'You do what the goal says.';
const worker = await startWorker({
  roles: [role],
  agents: [
    defineAgent({ name: 'planner', instructions, tools: [...tools, delegateTask] }),
    defineAgent({ name: 'executor', instructions, tools }),
  ],
  settings: JSON.parse(settings) as Record<string, unknown>,
});
process.on('SIGTERM', () => void worker.stop().then(() => process.exit(0)));
process.on('disconnect', () => process.exit(1));
process.send?.({ ready: worker.hostId });
