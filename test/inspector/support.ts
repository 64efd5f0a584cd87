/** An inspector on a real NATS server, the agent's chart, and agents' lives told as feed events by hand. */
import { request } from 'node:http';
import { agentMachine } from '../../machines/agent.js';
import { toJson } from '../../machines/diagram.js';
import { machineVersion } from '../../machines/version.js';
import { type Client, createClient } from '../../src/control/client.js';
import type { Amounts } from '../../src/domain/budget.js';
import type { FeedEvent } from '../../src/domain/event.js';
import type { HumanRequest } from '../../src/domain/human.js';
import {
  type AgentId,
  childAgentId,
  type RoleName,
  requestIdOf,
  rootAgentOf,
  type TaskId,
} from '../../src/domain/id.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { AgentPhase, Submission } from '../../src/domain/task.js';
import { noUsage, type Usage } from '../../src/domain/usage.js';
import { type Inspector, type InspectorOptions, startInspector } from '../../src/inspector/server.js';
import { systemClock } from '../../src/observe/clock.js';
import { silent } from '../../src/observe/log.js';
import { endTask, eventOf, openControl, reportOf, type TestControl, value } from '../control/support.js';
import { startTestNats, type TestNats } from '../support/nats.js';

export const agentChart = { ...toJson(agentMachine), version: machineVersion };

export interface Inspected {
  readonly nats: TestNats;
  readonly control: TestControl;
  readonly client: Client;
  readonly inspector: Inspector;
  /** Origin of the page. */
  readonly origin: string;
  submit(submission: Submission): Promise<TaskId>;
  end(): Promise<void>;
}

export async function startInspected(options: Partial<InspectorOptions> = {}): Promise<Inspected> {
  const nats = await startTestNats();
  const control: TestControl = { ...(await openControl(nats)), clock: { ...systemClock, set: () => undefined } };
  const client = createClient(control);
  const inspector = value(
    await startInspector({ bus: control.bus, client, machines: [agentChart], log: silent, ...options }),
  );
  return {
    nats,
    control,
    client,
    inspector,
    origin: `http://127.0.0.1:${inspector.port}`,
    submit: async (submission) => value(await client.submit(submission)).taskId,
    end: async () => {
      await inspector.close();
      await control.bus.close();
      await nats.stop();
    },
  };
}

const granted: Amounts = { rounds: 12, tokens: 40_000, costUsd: 0.5, toolCalls: 40, children: 6 };

/** The life of one agent, told step by step. */
export class Life {
  readonly agentId: AgentId;
  readonly role: RoleName;
  readonly #control: TestControl;
  readonly #taskId: TaskId;
  readonly #granted: Amounts;
  #usage: Usage = noUsage;
  #committed = 0;
  #round = 0;
  #seq = 0;
  #children = 0;
  host = 'worker-1';
  /** ms since 1970 of the next event; undefined: now. */
  at: number | undefined;

  constructor(control: TestControl, taskId: TaskId, role = 'planner', agentId = rootAgentOf(taskId), grant = granted) {
    this.#control = control;
    this.#taskId = taskId;
    this.#granted = grant;
    this.agentId = agentId;
    this.role = role as RoleName;
  }

  start(goal: string, parent?: Life): this {
    const depth = parent === undefined ? 0 : 1;
    return this.#tell('started', {
      goal,
      depth,
      granted: this.#granted,
      ...(parent ? { parent: parent.agentId } : {}),
    });
  }

  move(state: AgentPhase, cause: string, detail = '', spends: { tokens?: number; toolCalls?: number } = {}): this {
    const tokens = spends.tokens ?? 0;
    if (state === 'decide') this.#round += 1;
    this.#usage = {
      ...this.#usage,
      rounds: this.#round,
      inputTokens: this.#usage.inputTokens + Math.round(tokens * 0.85),
      outputTokens: this.#usage.outputTokens + Math.round(tokens * 0.15),
      costUsd: this.#usage.costUsd + tokens * 2e-6,
      toolCalls: this.#usage.toolCalls + (spends.toolCalls ?? 0),
    };
    return this.#tell('moved', { state, cause, detail, remaining: this.#remaining(), usage: this.#usage, repairs: 0 });
  }

  child(role = 'executor', slice = 8_000): Life {
    this.#children += 1;
    this.#committed += slice;
    const share = { rounds: 6, tokens: slice, costUsd: 0.1, toolCalls: 10, children: 0 };
    const child = new Life(this.#control, this.#taskId, role, childAgentId(this.agentId, this.#children), share);
    child.at = this.at;
    return child;
  }

  /** Asks for leave, in the feed and where pending requests lie. */
  async ask(tool: string, args: JsonObject, callId = 'r1c1'): Promise<HumanRequest> {
    const request = {
      v: 1,
      kind: 'approval',
      id: requestIdOf(this.agentId, callId),
      taskId: this.#taskId,
      agentId: this.agentId,
      role: this.role,
      priority: 'normal',
      callId,
      askedAt: this.at ?? Date.now(),
      tool,
      arguments: args,
      hash: '9f2c51d08ab3e477',
    } as HumanRequest;
    value(await this.#control.bus.buckets.approval.put(request.id, request as unknown as Json));
    this.#tell('asked', { request });
    return request;
  }

  takeOver(host: string): this {
    const from = this.host;
    this.host = host;
    return this.#tell('taken_over', { from, epoch: 2 });
  }

  async end(summary: string, status: 'done' | 'partial' | 'exhausted' = 'done'): Promise<void> {
    const termination = status === 'exhausted' ? 'rounds_exhausted' : 'finished';
    const report = reportOf(this.#taskId, {
      agentId: this.agentId,
      status,
      summary,
      termination,
      usage: this.#usage,
      budgetLeft: this.#remaining(),
    });
    this.#tell('ended', { report });
    if (this.agentId === rootAgentOf(this.#taskId)) await endTask(this.#control, this.#taskId, report);
  }

  #remaining(): Amounts {
    const { rounds, inputTokens, outputTokens, costUsd, toolCalls } = this.#usage;
    return {
      rounds: this.#granted.rounds - rounds,
      tokens: Math.max(0, this.#granted.tokens - inputTokens - outputTokens - this.#committed),
      costUsd: Math.max(0, this.#granted.costUsd - costUsd),
      toolCalls: this.#granted.toolCalls - toolCalls,
      children: this.#granted.children - this.#children,
    };
  }

  #tell<K extends FeedEvent['kind']>(kind: K, fields: Parameters<typeof eventOf<K>>[2]): this {
    this.#seq += 1;
    const { agentId, role, host } = this;
    const at = this.at ?? Date.now();
    const base = { agentId, role, host, at, seq: this.#seq, round: this.#round };
    this.#control.bus.feed.publish(eventOf(this.#taskId, kind, fields, base));
    return this;
  }
}

/** A raw request, with whatever headers. */
export function ask(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Resolves when the condition holds; looks every few milliseconds, as long as the test may take. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}
