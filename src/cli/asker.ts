/** Asks the person at the terminal what agents ask of humans, one thing at a time; or allows everything, with a note. */
import { createInterface } from 'node:readline/promises';
import type { Client } from '../control/client.js';
import type { HumanRequest } from '../domain/human.js';
import type { Live } from './live.js';
import type { Output } from './output.js';
import { clip, oneLine } from './style.js';

export type HumanMode = 'ask' | 'allow' | 'show';

export interface Asker {
  /** What is waiting now. Requests that are gone are given up. */
  offer(requests: readonly HumanRequest[]): void;
  /** True while a question stands on the screen: nothing else may draw. */
  readonly asking: boolean;
  close(): void;
}

const argumentLines = 20;

export function createAsker(
  client: Client,
  output: Output,
  options: { readonly mode: HumanMode; readonly by: string; readonly live: Live },
): Asker {
  const { mode, by, live } = options;
  const taken = new Set<string>();
  let queue: HumanRequest[] = [];
  let current: { readonly id: string; readonly stop: AbortController } | undefined;

  const next = async (): Promise<void> => {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      const stop = new AbortController();
      current = { id: request.id, stop };
      live.leave();
      await answer(client, output, request, by, stop.signal);
      current = undefined;
    }
  };
  return {
    get asking() {
      return current !== undefined;
    },
    offer(requests) {
      if (mode === 'show') return;
      const present = new Set<string>(requests.map(({ id }) => id));
      queue = queue.filter(({ id }) => present.has(id));
      if (current !== undefined && !present.has(current.id)) current.stop.abort();
      for (const request of requests) {
        if (taken.has(request.id)) continue;
        taken.add(request.id);
        if (mode === 'ask') queue.push(request);
        else if (request.kind === 'approval') void allow(client, output, request, by);
      }
      if (current === undefined) void next();
    },
    close() {
      queue = [];
      current?.stop.abort();
    },
  };
}

async function allow(client: Client, output: Output, request: HumanRequest, by: string): Promise<void> {
  const decided = await client.approve(request.id, { by });
  const what = request.kind === 'approval' ? request.tool : 'question';
  output.say(
    decided.ok
      ? output.style.yellow(`allowed ${what} (${request.id}) because of --yes`)
      : output.style.yellow(`${request.id}: ${decided.failure.message}`),
  );
}

async function answer(
  client: Client,
  output: Output,
  request: HumanRequest,
  by: string,
  signal: AbortSignal,
): Promise<void> {
  for (const line of describe(request)) output.say(line);
  const prompt = request.kind === 'approval' ? 'Allow this? [y]es / [n]o: ' : 'Your answer: ';
  const reply = (await ask(output.style.bold(prompt), signal))?.trim();
  if (reply === undefined) return;
  if (request.kind === 'question') {
    if (reply !== '') tell(output, await client.answer({ id: request.id, text: reply, by }));
    return;
  }
  const allow = /^y(es)?$/i.test(reply) || reply === '是';
  const reason = allow ? undefined : (await ask('Why not? (may stay empty) ', signal))?.trim();
  tell(output, await client.decide({ id: request.id, allow, by, ...(reason ? { reason } : {}) }));
}

function tell(
  output: Output,
  result: Awaited<ReturnType<Client['decide']>> | Awaited<ReturnType<Client['answer']>>,
): void {
  if (!result.ok) output.say(output.style.yellow(result.failure.message));
}

function describe(request: HumanRequest): string[] {
  if (request.kind === 'question') return ['', `${request.agentId} asks: ${oneLine(request.question)}`];
  const all = Object.entries(request.arguments).flatMap(([name, item]) => {
    const text = typeof item === 'string' ? item : JSON.stringify(item);
    const [first = '', ...rest] = text.split('\n');
    return [`  ${name}: ${clip(oneLine(first), 100)}`, ...rest.map((line) => `    ${clip(oneLine(line), 100)}`)];
  });
  const shown =
    all.length > argumentLines ? [...all.slice(0, argumentLines), `  … ${all.length - argumentLines} more lines`] : all;
  return ['', `${request.agentId} wants to run ${request.tool}:`, ...shown];
}

/** Undefined when it was given up. */
async function ask(prompt: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // Without this, Ctrl-C at the prompt would end the reader and not the command.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await reader.question(prompt, { signal });
  } catch {
    return undefined;
  } finally {
    reader.close();
  }
}
