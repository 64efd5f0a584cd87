// Hermes as it is shipped: embedded nats-server with file storage, a worker in this process, tasks submitted and awaited
// through the public door. Every step is journalled; nats-server's CPU is counted too.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineAgent, defineTool, startWorker } from '../../../../dist/src/index.js';

export async function setup(ctx) {
  const dataDir = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'hact-bench-'));
  const tool = defineTool({
    name: ctx.tool.name,
    description: ctx.tool.description,
    parameters: ctx.tool.jsonSchema,
    effect: 'idempotent',
    run: (args) => ctx.tool.execute(args),
  });
  const calculator = defineAgent({ name: 'calculator', instructions: ctx.system, tools: [tool] });
  const worker = await startWorker({
    startServer: true,
    roles: ['calculator'],
    agents: [calculator],
    concurrency: 2000,
    settings: {
      dataDir,
      'model.baseUrl': ctx.baseURL,
      'model.name': ctx.model,
      'model.apiKey': ctx.apiKey,
      'model.stream': ctx.stream,
      'log.level': 'silent',
    },
  });
  const budget = {
    rounds: ctx.rounds + 5,
    toolCalls: (ctx.rounds + 5) * ctx.parallel,
    tokens: 1_000_000,
    seconds: 600,
  };
  return {
    async runAgent() {
      const accepted = await worker.client.submit({ goal: ctx.prompt, role: 'calculator', budget });
      if (!accepted.ok) throw new Error(accepted.failure.message);
      const ended = await worker.client.result(accepted.value.taskId);
      if (!ended.ok) throw new Error(ended.failure.message);
      const { report } = ended.value;
      if (report.status !== 'done') throw new Error(`${report.status}: ${report.error?.message}`);
      return report.result;
    },
    pids: () => [worker.server.pid],
    async teardown() {
      await worker.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
