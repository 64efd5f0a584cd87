/**
 * `npm run bench:parked -- --agents 1000`: what an agent that waits for a human keeps in the memory of its worker.
 *
 * Heap after garbage collection, before and after so many agents have asked their question; then one is answered, to see
 * that they are only asleep. Runs under `node --expose-gc`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { askUser, defineAgent, finish, startWorker, type WorkerHandle } from '../../src/index.js';
import type { Asked, Brain, Reply } from '../../src/llm/scripted/brain.js';
import { startScriptedModel } from '../../src/llm/scripted/server.js';

const { values } = parseArgs({ options: { agents: { type: 'string', default: '1000' } } });
const agents = Number(values.agents);
/** Agents that park before the first measurement, so that code and connections are warm. */
const warm = 100;
const lookAgainMs = 50;

const call = (name: string, args: object): Reply => ({
  kind: 'reply',
  message: {
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
  finishReason: 'tool_calls',
});
const hasAnswer = ({ messages }: Asked): boolean => messages.some(({ role }) => role === 'tool');
const brain: Brain = (asked) =>
  hasAnswer(asked) ? call('finish', { result: 'done', summary: 'done' }) : call('ask_user', { question: 'Go on?' });

const folder = mkdtempSync(join(tmpdir(), 'hact-parked-'));
const model = await startScriptedModel({ brain });
const worker = await startWorker({
  startServer: true,
  roles: ['clerk'],
  agents: [defineAgent({ name: 'clerk', instructions: 'Ask before you begin.', tools: [askUser, finish] })],
  settings: { dataDir: folder, 'model.baseUrl': model.url, 'model.name': 'scripted', 'log.level': 'silent' },
});
try {
  await park(worker, warm);
  const before = heapBytes();
  await park(worker, agents);
  const after = heapBytes();
  const perAgent = (after - before) / agents;
  console.log(`${agents} parked agents: ${(perAgent / 1024).toFixed(2)} KB of heap each`);
  console.log(
    `heap ${mega(before)} MB with ${warm}, ${mega(after)} MB with ${agents + warm}; at work: ${worker.hosted().length}`,
  );
  console.log(`one is answered: ${await answerOne(worker)}`);
} finally {
  await worker.stop();
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Submits tasks and waits until all their agents rest. */
async function park({ client, hosted }: WorkerHandle, count: number): Promise<void> {
  const taskIds = await Promise.all(
    Array.from({ length: count }, async () => {
      const accepted = await client.submit({ goal: 'Sort the shelf.', role: 'clerk' });
      if (!accepted.ok) throw new Error(accepted.failure.message);
      return accepted.value.taskId;
    }),
  );
  const waiting = new Set<string>(taskIds);
  while (waiting.size > 0 || hosted().length > 0) {
    const open = await client.approvals();
    if (!open.ok) throw new Error(open.failure.message);
    for (const { taskId } of open.value.requests) waiting.delete(taskId);
    await pause(lookAgainMs);
  }
}

async function answerOne({ client }: WorkerHandle): Promise<string> {
  const open = await client.approvals();
  const [request] = open.ok ? open.value.requests : [];
  if (request === undefined) return 'nobody asks';
  await client.answer({ id: request.id, text: 'yes' });
  const ended = await client.result(request.taskId);
  return ended.ok ? String(ended.value.report?.status) : ended.failure.message;
}

function heapBytes(): number {
  if (global.gc === undefined) throw new Error('run me with node --expose-gc');
  global.gc();
  global.gc();
  return process.memoryUsage().heapUsed;
}

function mega(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}
