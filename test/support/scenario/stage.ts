/** The world of a scenario over HTTP: model providers that follow the script, and tools that run outside every worker. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../src/observe/clock.js';
import { isSubset, type Scenario, type ScriptEntry } from './scenario.js';

export interface ToolRun {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly agentId: string;
  readonly ok: boolean;
}

export interface Stage {
  readonly url: string;
  /** What really ran, as the outside saw it. */
  readonly runs: ToolRun[];
  /** Model requests that were answered. */
  modelCalls(): number;
  close(): Promise<void>;
}

export interface StageHooks {
  /** Before a tool's answer goes out. */
  afterTool(run: ToolRun): Promise<void>;
  /** After it went out. */
  toolAnswered(run: ToolRun): void;
}

interface Line {
  readonly entries: ScriptEntry[];
  next: number;
  failed: number;
}

export interface StageOptions extends StageHooks {
  /**
   * How a model finds its place in the script: by how often it was asked, or by how many of its replies the prompt holds.
   * The second gives the same answer to a call that is made again because its host died.
   */
  readonly place: 'asked' | 'prompt';
}

export async function openStage(scenario: Scenario, options: StageOptions): Promise<Stage> {
  const runs: ToolRun[] = [];
  const used = new Map<number, number>();
  const lines = new Map<string, Line>();
  let answered = 0;

  const lineOf = (agentId: string, prompt: string): Line => {
    const known = lines.get(agentId);
    if (known !== undefined) return known;
    const { executors, main, planner } = scenario.model_script;
    const isChild = agentId.includes('-');
    const own = isChild ? executors.find(({ when }) => prompt.includes(when.task_includes))?.steps : undefined;
    const line: Line = { entries: own ?? main ?? planner ?? [], next: 0, failed: 0 };
    lines.set(agentId, line);
    return line;
  };

  const complete = async (request: IncomingMessage, response: ServerResponse, provider: string): Promise<void> => {
    const body = JSON.parse(await read(request)) as {
      messages: { role: string; content: unknown }[];
      stream?: boolean;
    };
    const line = lineOf(String(request.headers['x-hact-agent'] ?? ''), JSON.stringify(body.messages.slice(0, 2)));
    if (options.place === 'prompt') line.next = body.messages.filter(({ role }) => role === 'assistant').length;
    const fault = line.entries[line.next]?.fault;
    if (fault !== undefined) {
      if (line.failed < fault.times && (fault.provider ?? provider) === provider) {
        line.failed += 1;
        return fail(response, fault.kind);
      }
      line.next += 1;
      line.failed = 0;
    }
    const entry = line.entries[line.next];
    if (entry === undefined) return fail(response, 'http_410');
    line.next += 1;
    answered += 1;
    send(response, entry, body.stream === true);
  };

  const runTool = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = JSON.parse(await read(request)) as {
      tool: string;
      arguments: Record<string, unknown>;
      agentId: string;
    };
    const index = scenario.tool_script.findIndex(
      (rule, at) =>
        rule.tool === call.tool &&
        isSubset(rule.when, call.arguments) &&
        (used.get(at) ?? 0) < (rule.times ?? Infinity),
    );
    used.set(index, (used.get(index) ?? 0) + 1);
    const rule = scenario.tool_script[index];
    const missing = { kind: 'not_found', message: 'no rule of the script fits', retryable: false };
    const error = rule === undefined ? missing : rule.error;
    const run: ToolRun = { ...call, ok: error === undefined };
    runs.push(run);
    await systemClock.sleep(rule?.latency_ms ?? 0);
    await options.afterTool(run);
    response.on('finish', () => options.toolAnswered(run));
    response.end(JSON.stringify(error === undefined ? { result: rule?.result ?? null } : { error }));
  };

  const server = createServer((request, response) => {
    const provider = /^\/p\/([^/]+)\/v1\/chat\/completions/.exec(request.url ?? '')?.[1];
    const work = provider === undefined ? runTool(request, response) : complete(request, response, provider);
    work.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    runs,
    modelCalls: () => answered,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** `http_500`, `http_429`, …; anything else breaks the connection. */
function fail(response: ServerResponse, kind: string): void {
  const status = /^http_(\d{3})$/.exec(kind)?.[1];
  if (status === undefined) {
    response.destroy();
    return;
  }
  response.writeHead(Number(status), { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message: `scripted ${kind}` } }));
}

function send(response: ServerResponse, entry: ScriptEntry, stream: boolean): void {
  const message = entry.message ?? { role: 'assistant', content: entry.text ?? '' };
  const usage = entry.usage ?? { prompt_tokens: 0, completion_tokens: 0 };
  const base = { id: 'chatcmpl-scenario', created: 1_700_000_000, model: 'scenario' };
  if (!stream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: entry.finish_reason }],
        usage,
      }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (choices: unknown[], more: object = {}): void => {
    response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`);
  };
  const { content, tool_calls: calls } = message as { content?: string | null; tool_calls?: object[] };
  for (const delta of (content ?? '').match(/[\s\S]{1,7}/g) ?? [])
    event([{ index: 0, delta: { content: delta }, finish_reason: null }]);
  for (const [index, call] of (calls ?? []).entries()) {
    event([{ index: 0, delta: { tool_calls: [{ index, ...call }] }, finish_reason: null }]);
  }
  event([{ index: 0, delta: {}, finish_reason: entry.finish_reason }]);
  event([], { usage });
  response.end('data: [DONE]\n\n');
}
