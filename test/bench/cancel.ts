/**
 * `npm run bench:cancel -- [--teams N] [--members N] [--seconds N]`: a tree of three levels is cancelled while every leaf
 * has a child process running. How long until the task has ended, every tool was told to stop and no process is left. Exit
 * code 1 when that takes longer than the seconds given.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { defineAgent, defineTool, delegateTask, finish, startWorker } from '../../src/index.js';
import { startTestModel } from '../support/rule-model.js';

const { values } = parseArgs({
  options: {
    teams: { type: 'string', default: '9' },
    members: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '5' },
  },
});
const teams = Number(values.teams);
const members = Number(values.members);
const lookAgainMs = 5;

const running = new Set<ChildProcess>();
const toldToStop: number[] = [];
const wait = defineTool({
  name: 'wait',
  description: 'runs a program that does not end by itself',
  parameters: z.object({}),
  effect: 'read',
  timeoutMs: 600_000,
  run: (_, { signal }) => {
    const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    running.add(child);
    return new Promise((_resolve, reject) => {
      child.on('exit', () => {
        running.delete(child);
        reject(new Error('stopped'));
      });
      signal.addEventListener('abort', () => {
        toldToStop.push(performance.now());
        process.kill(-(child.pid as number), 'SIGTERM');
      });
    });
  },
});
const order = (goal: string) => ['delegate_task', { goal }] as const;

const model = await startTestModel(({ text, round }) => {
  if (round > 0) return { say: 'nothing came of it' };
  if (text.includes('member ')) return { calls: [['wait', {}]] };
  const team = /team (\d+)/.exec(text)?.[1];
  const goals =
    team === undefined
      ? Array.from({ length: teams }, (_, n) => `Lead team ${n}.`)
      : Array.from({ length: members }, (_, n) => `Work as member ${n} of crew ${team}.`);
  return { calls: goals.map(order) };
});
const folder = mkdtempSync(join(tmpdir(), 'hact-cancel-'));
const worker = await startWorker({
  startServer: true,
  roles: ['planner', 'executor'],
  agents: [
    defineAgent({ name: 'planner', instructions: 'Delegate.', tools: [delegateTask, finish] }),
    defineAgent({ name: 'executor', instructions: 'Work.', tools: [delegateTask, wait, finish] }),
  ],
  concurrency: 1_000,
  settings: {
    dataDir: folder,
    'model.baseUrl': model.url,
    'model.name': 'scripted',
    'limits.parallelSubtasks': Math.max(teams, members),
    'limits.fanOut': Math.max(teams, members),
    'log.level': 'silent',
  },
});
try {
  const budget = {
    rounds: 2_000,
    tokens: 100_000_000,
    costUsd: 1_000,
    toolCalls: 2_000,
    children: 2_000,
    seconds: 600,
  };
  const accepted = await worker.client.submit({ goal: 'Find the crews.', role: 'planner', budget });
  if (!accepted.ok) throw new Error(accepted.failure.message);
  const { taskId } = accepted.value;
  while (running.size < teams * members) await pause(lookAgainMs);
  const begun = performance.now();
  await worker.client.cancel({ taskId });
  const ended = await worker.client.result(taskId);
  const resultMs = performance.now() - begun;
  while (running.size > 0 || worker.hosted().length > 0) await pause(lookAgainMs);
  const allMs = performance.now() - begun;
  const termination = ended.ok ? ended.value.report?.termination : ended.failure.message;
  console.log(
    `${1 + teams + teams * members} agents on three levels, ${teams * members} processes; ended as ${termination}`,
  );
  console.log(
    `the last tool was told to stop after ${Math.round(Math.max(...toldToStop) - begun)} ms, the result stood after ` +
      `${Math.round(resultMs)} ms, no agent and no process was left after ${Math.round(allMs)} ms`,
  );
  process.exitCode = termination === 'cancelled' && allMs <= Number(values.seconds) * 1_000 ? 0 : 1;
} finally {
  await worker.stop();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}
