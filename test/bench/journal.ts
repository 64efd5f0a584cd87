/**
 * `npm run bench:journal -- [--rounds N] [--chars N]`: what one long conversation stores, and what its steps take, early and
 * late. One agent reads a page a round; the server is real, the model answers at once.
 *
 * Bytes are those of the journal's records as they are stored, of the blobs that they name and of the last snapshot, against
 * the model's messages and the tools' outcomes as they came. Exit code 1 when they are more than 1.5 times as many, or when a late step
 * stores over a tenth more than an early one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openBus } from '../../src/bus/connect.js';
import { packRecord } from '../../src/bus/record.js';
import { encode } from '../../src/bus/text.js';
import type { AgentId } from '../../src/domain/id.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import { defineAgent, defineTool, finish, startWorker } from '../../src/index.js';
import type { Brain, Reply } from '../../src/llm/scripted/brain.js';
import { startScriptedModel } from '../../src/llm/scripted/server.js';
import { randomFrom } from '../support/random.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, chars: { type: 'string', default: '700' } },
});
const rounds = Number(values.rounds);
const chars = Number(values.chars);
const early = 10;
/** Steps on each side of the one that is looked at. */
const around = 5;
const mostBytes = 1.5;
const mostGrowth = 1.1;
const windowTokens = 256_000;

const random = randomFrom(1);
const words = 'river stone lantern harbour copper meadow 河流 石头 港口 草地 signal orchard'.split(' ');
/** No two are alike, so that nothing is saved by storing them once. */
function pageOf(n: number): string {
  let text = `Page ${n}:`;
  while (text.length < chars) text += ` ${words[Math.floor(random() * words.length)]}${Math.floor(random() * 1_000)}`;
  return text;
}

let content = 0;
const counted = <T>(value: T): T => {
  content += Buffer.byteLength(JSON.stringify(value));
  return value;
};
const replies = new Map<number, Reply>();
/** A request that is made again gets the same answer, which counts once. */
const brain: Brain = ({ messages }) => {
  const round = messages.filter(({ role }) => role === 'assistant').length;
  const known = replies.get(round) ?? replyIn(round);
  replies.set(round, known);
  return known;
};

function replyIn(round: number): Reply {
  const isLast = round >= rounds;
  const call = isLast
    ? { name: 'finish', arguments: JSON.stringify({ result: 'read', summary: 'read' }) }
    : { name: 'read_page', arguments: JSON.stringify({ n: round }) };
  const message = counted({
    content: `Now page ${round}, since the one before said little.`,
    tool_calls: [{ id: `call_${round}`, type: 'function' as const, function: call }],
  });
  return { kind: 'reply', message, finishReason: 'tool_calls' };
}

const begunAt: number[] = [];
const readPage = defineTool({
  name: 'read_page',
  description: 'reads a page of the book',
  parameters: z.object({ n: z.int().describe('number of the page') }),
  effect: 'pure',
  run: ({ n }) => {
    begunAt.push(performance.now());
    return counted(pageOf(n));
  },
});

const folder = mkdtempSync(join(tmpdir(), 'hact-journal-'));
const model = await startScriptedModel({ brain });
const worker = await startWorker({
  startServer: true,
  roles: ['reader'],
  agents: [defineAgent({ name: 'reader', instructions: 'Read the book, page by page.', tools: [readPage, finish] })],
  settings: {
    dataDir: folder,
    'model.baseUrl': model.url,
    'model.name': 'scripted',
    'model.windowTokens': windowTokens,
    'log.level': 'silent',
  },
});
try {
  const budget = { rounds: rounds + 5, toolCalls: rounds + 5, tokens: 1_000_000_000, costUsd: 100_000, seconds: 3_600 };
  const accepted = await worker.client.submit({ goal: 'Read the book.', role: 'reader', budget });
  if (!accepted.ok) throw new Error(accepted.failure.message);
  const ended = await worker.client.result(accepted.value.taskId);
  if (!ended.ok || ended.value.report?.status !== 'done') throw new Error(`not done: ${JSON.stringify(ended)}`);
  process.exitCode = (await tell(accepted.value.taskId as unknown as AgentId)) ? 0 : 1;
} finally {
  await worker.stop();
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function tell(agentId: AgentId): Promise<boolean> {
  const opened = await openBus({ servers: worker.server.url, token: worker.server.token });
  if (!opened.ok) throw new Error(opened.failure.message);
  const bus = opened.value;
  const read = await bus.journal.read(agentId, 0);
  const snapshot = await bus.buckets.agent.get(agentId);
  if (!read.ok || !snapshot.ok) throw new Error('the journal cannot be read');
  const records = read.value.map(({ value }) => value);
  const text = records.map((record) => JSON.stringify(record));
  let blobs = 0;
  for (const name of new Set(text.join('').match(/(?<=sha256:)[0-9a-f]{64}/g))) {
    const blob = await bus.blobs.get(name);
    blobs += blob.ok ? (blob.value?.length ?? 0) : 0;
  }
  await bus.close();
  const journal = records.reduce((sum, record) => sum + packRecord(encode(record), 0).length, 0);
  const held = Buffer.byteLength(JSON.stringify(snapshot.value?.value ?? null));
  const perRound = bytesPerRound(records);
  const share = (journal + blobs + held) / content;
  const growth = meanAround(rounds - around, perRound) / meanAround(early, perRound);
  const gaps = begunAt.slice(1).map((at, index) => at - (begunAt[index] ?? at));
  console.log(
    `${rounds} rounds: ${records.length} records of ${mega(journal)} MB, blobs ${mega(blobs)} MB, snapshot ${mega(held)} MB`,
  );
  console.log(`new content ${mega(content)} MB: ${share.toFixed(2)} times as much is stored`);
  console.log(`round ${rounds - around} stores ${growth.toFixed(2)} times what round ${early} does`);
  console.log(
    `a round takes ${meanAround(early, gaps).toFixed(1)} ms at ${early}, ${meanAround(rounds - around - 1, gaps).toFixed(1)} ms at the end`,
  );
  return share <= mostBytes && growth <= mostGrowth;
}

/** Bytes of the records from one model reply to the next. */
function bytesPerRound(records: readonly JournalRecord[]): number[] {
  const bytes: number[] = [0];
  for (const record of records) {
    const isReply = record.kind === 'step' && record.events.some(({ type }) => type === 'xstate.done.actor.decide');
    if (isReply) bytes.push(0);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) + packRecord(encode(record), 0).length;
  }
  return bytes;
}

function meanAround(middle: number, numbers: readonly number[]): number {
  const some = numbers.slice(Math.max(0, middle - around), middle + around);
  return some.reduce((sum, one) => sum + one, 0) / some.length;
}

function mega(bytes: number): string {
  return (bytes / 1_000_000).toFixed(2);
}
