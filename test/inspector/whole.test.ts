import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { defineAgent, defineTool, delegateTask, finish, startWorker, type WorkerHandle } from '../../src/index.js';
import type { Scenario, ScriptEntry } from '../support/scenario/scenario.js';
import { openStage, type Stage } from '../support/scenario/stage.js';
import { startBrowser, type TestBrowser } from './browser.js';
import { type Inspected, startInspected, until } from './support.js';

/** A reply that calls tools. */
const calls = (...wanted: [name: string, args: object][]): ScriptEntry => ({
  finish_reason: 'tool_calls',
  usage: { prompt_tokens: 800, completion_tokens: 60 },
  message: {
    role: 'assistant',
    content: null,
    tool_calls: wanted.map(([name, args], n) => ({
      id: `call_${n}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  },
});
const finishing = (summary: string) => calls(['finish', { status: 'done', result: summary, summary }]);

const script = {
  id: 'whole',
  model_script: {
    planner: [
      calls(['delegate_task', { goal: 'count the rows of 销售.csv' }]),
      calls(['write_report', { text: '共 226,995 行' }]),
      finishing('226,995 rows, the report is written'),
    ],
    executors: [{ when: { task_includes: '销售.csv' }, steps: [finishing('226,995 rows')] }],
  },
  tool_script: [],
} as unknown as Scenario;

let folder: string;
let at: Inspected;
let browser: TestBrowser;
let stage: Stage;
let worker: WorkerHandle;
const written: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hact-inspector-'));
  [at, browser, stage] = await Promise.all([
    startInspected(),
    startBrowser(),
    openStage(script, { place: 'asked', afterTool: async () => {}, toolAnswered: () => {} }),
  ]);
  const writeReport = defineTool({
    name: 'write_report',
    description: 'writes the report',
    parameters: z.object({ text: z.string() }),
    effect: 'unsafe',
    confirm: true,
    run: async ({ text }) => {
      written.push(text);
      return 'written';
    },
  });
  const instructions = 'You do what the script says.';
  worker = await startWorker({
    roles: ['planner', 'executor'],
    agents: [
      defineAgent({ name: 'planner', instructions, tools: [writeReport, delegateTask, finish], childRole: 'executor' }),
      defineAgent({ name: 'executor', instructions, tools: [finish] }),
    ],
    settings: {
      'nats.url': at.nats.url,
      'nats.token': at.nats.token,
      'nats.prefix': at.control.prefix,
      'model.baseUrl': `${stage.url}/p/primary/v1`,
      'model.name': 'script',
      'model.apiKey': 'none',
      'log.file': join(folder, 'worker.log'),
      dataDir: folder,
    },
  });
});
afterAll(async () => {
  await worker?.stop();
  await stage?.close();
  await browser?.close();
  await at?.end();
  await rm(folder, { recursive: true, force: true });
});

it('shows real agents from submission to report, and lets a person approve on the way', async () => {
  const { page, troubles } = await browser.open(at.inspector.url);
  await page.waitForSelector('.link.live');
  const taskId = await at.submit({ goal: '数一数 销售.csv 的行数并写报告', role: 'planner' as never });
  await page.click(`[data-task="${taskId}"] a`);

  await page.waitForSelector('.request [data-action=approve]');
  await page.waitForSelector('svg.chart[data-state=parked]');
  expect(await page.textContent('.exact')).toBe('{\n  "text": "共 226,995 行"\n}');
  await page.waitForSelector(`[data-agent="${taskId}-1"] .hue-done`);
  expect(written).toEqual([]);
  await page.click('.request [data-action=approve]');

  await page.waitForSelector('.task-head .hue-done');
  await until(async () => (await page.textContent('.summary')) === '226,995 rows, the report is written');
  expect(written).toEqual(['共 226,995 行']);
  await page.waitForSelector('svg.chart[data-state=done]');
  await until(async () => (await page.locator('.request').count()) === 0);

  // Rounds of the tree: three of the planner and one of the executor, each counted once.
  const rounds = page.locator('[data-budget=tree] [data-gauge=rounds] [role=meter]');
  await until(async () => (await rounds.getAttribute('aria-valuenow')) === '4');
  await page.click('[role=tab]:has-text("Journal")');
  await page.waitForSelector('.kind-step');
  const lines = page.locator('.journal .line');
  await until(async () => (await lines.allTextContents()).some((line) => line.includes('human.decided')));
  await page.click('[role=tab]:has-text("Snapshot")');
  expect(troubles).toEqual([]);
});
