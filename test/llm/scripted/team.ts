/** A planner and its executors in the fewest lines that still use the real client, pipeline and tools. No durability, no budgets but rounds. */

import { goalMessage, lastCallMessage, standingMessage, systemMessage } from '../../../src/context/prompt.js';
import { render, type ShownResult } from '../../../src/context/transcript.js';
import { nothing } from '../../../src/domain/budget.js';
import type { AssistantMessage, ChatMessage } from '../../../src/domain/chat.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { Model, ModelOutcome } from '../../../src/llm/model.js';
import { type ParsedCall, parseReply } from '../../../src/parse/reply.js';
import { controlTools } from '../../../src/tools/builtin/control.js';
import { fileTools } from '../../../src/tools/builtin/files.js';
import { tableTools } from '../../../src/tools/builtin/table/tools.js';
import type { Tool } from '../../../src/tools/tool.js';
import { never } from '../support.js';

export interface TeamReport {
  status: string;
  result: unknown;
  summary: string;
  termination: string;
}

export interface Team {
  readonly model: Model;
  readonly root: string;
  /** Everything that happened on the way, in words. */
  readonly log: string[];
  /** Goals of subtasks, with their budgets. */
  readonly subtasks: { name: string; goal: string; rounds: number }[];
  /** Runs a call; undefined lets the tool run. */
  readonly intercept?: (call: ParsedCall) => unknown;
}

const all: readonly Tool[] = [...controlTools, ...fileTools, ...tableTools];
const toolSets = new Map<string, readonly Tool[]>();

function toolsNamed(names: readonly string[]): readonly Tool[] {
  const key = names.join(' ');
  const known = toolSets.get(key);
  if (known !== undefined) return known;
  const made = all.filter(({ declaration }) => names.includes(declaration.name));
  toolSets.set(key, made);
  return made;
}

export interface Task {
  readonly id: string;
  readonly goal: string;
  readonly files?: readonly string[];
  readonly tools: readonly string[];
  readonly rounds: number;
  readonly resultSchema?: JsonObject;
}

export async function runAgent(team: Team, task: Task): Promise<TeamReport> {
  const tools = toolsNamed(task.tools);
  const head = [systemMessage('You work.'), goalMessage({ ...task, files: [...(task.files ?? [])] } as never)];
  const passages: ChatMessage[] = [];
  let children = 0;
  for (let round = 1; round <= task.rounds; round++) {
    const last = round === task.rounds;
    const left = { ...nothing, rounds: task.rounds - round + 1, tokens: 100_000 };
    const standing = standingMessage({ remaining: left, memory: {}, plan: [] });
    const messages = [...head, ...passages, standing, ...(last ? [lastCallMessage] : [])];
    const outcome = await ask(team, task, messages, tools);
    if (!outcome.ok) {
      team.log.push(`${task.id}: ${outcome.failure.kind}`);
      continue;
    }
    if (outcome.attempts > 1) team.log.push(`${task.id}: ${outcome.attempts} attempts`);
    const reply = parseReply({ message: outcome.message, finishReason: outcome.finishReason, tools: declared(tools) });
    for (const call of reply.calls) for (const repair of call.repairs) team.log.push(`${task.id}: ${repair}`);
    for (const { reason } of [...reply.rejected, ...reply.superseded]) team.log.push(`${task.id}: ${reason}`);
    if (reply.meta.repeated > 0) team.log.push(`${task.id}: repeated calls`);
    if (reply.reasoning !== '') team.log.push(`${task.id}: thought`);
    if (reply.calls.length === 0) {
      team.log.push(`${task.id}: ${reply.incomplete.length > 0 ? 'cut inside a call' : 'answered in words'}`);
      if (reply.incomplete.length > 0) continue;
      return { status: 'done', result: reply.content, summary: reply.content, termination: 'finished' };
    }
    const finish = reply.calls.find(({ name }) => name === 'finish');
    if (finish !== undefined) {
      const { result = null, summary = '', status = 'done' } = finish.arguments as Record<string, string>;
      return { status, result, summary, termination: 'finished' };
    }
    if (last) break;
    const numbered = reply.calls.map((call) => ({
      call,
      id: `${task.id}-${call.name === 'delegate_task' ? ++children : 0}`,
    }));
    const values = await Promise.all(numbered.map(({ call, id }) => carryOut(team, call, id)));
    passages.push(...shown(outcome.message, reply.calls, values, round));
  }
  return { status: 'exhausted', result: '', summary: 'Not finished', termination: 'rounds_exhausted' };
}

const declared = (tools: readonly Tool[]) => declarations.get(tools) ?? declare(tools);
const declarations = new WeakMap<readonly Tool[], Tool['declaration'][]>();
function declare(tools: readonly Tool[]): Tool['declaration'][] {
  const made = tools.map(({ declaration }) => declaration);
  declarations.set(tools, made);
  return made;
}

const ask = (team: Team, task: Task, messages: ChatMessage[], tools: readonly Tool[]): Promise<ModelOutcome> =>
  team.model.call(
    { messages, tools: declared(tools), maxOutputTokens: 2048, temperature: 0.3, agentId: task.id },
    { signal: never },
  );

async function carryOut(team: Team, call: ParsedCall, id: string): Promise<unknown> {
  const answer = team.intercept?.(call);
  if (answer !== undefined) return answer;
  const tool = all.find(({ declaration }) => declaration.name === call.name);
  if (tool === undefined) return { status: 'error', error: { kind: 'unknown_tool', message: `no tool ${call.name}` } };
  const checked = tool.schema.check(call.arguments);
  if (!checked.ok) return { status: 'error', error: checked.failure };
  if (tool.behaviour.route === 'delegate') {
    const { goal, tools = [], budget, name = '', resultSchema } = tool.behaviour.delegation(checked.value);
    const rounds = budget?.rounds ?? 5;
    team.subtasks.push({ name, goal, rounds });
    return runAgent(team, {
      id,
      goal,
      tools: [...tools, 'finish', 'ask_user'],
      rounds,
      ...(resultSchema && { resultSchema }),
    });
  }
  if (tool.behaviour.route !== 'tool') return { status: 'error', error: { message: 'not here' } };
  try {
    const context = {
      signal: never,
      idempotencyKey: id,
      taskId: 't',
      agentId: id,
      callId: 'c',
      roots: [team.root],
      now: () => 0,
      progress: () => {},
    };
    return { status: 'ok', data: await tool.behaviour.run(checked.value, context) };
  } catch (error) {
    return { status: 'error', error: { kind: 'tool_failed', message: (error as Error).message } };
  }
}

/** As the agents show it to the model. */
function shown(
  message: AssistantMessage,
  calls: readonly ParsedCall[],
  values: readonly unknown[],
  n: number,
): ChatMessage[] {
  const native = new Set(message.tool_calls?.map(({ id }) => id));
  const results = calls.map(
    (call, i): ShownResult => ({
      modelCallId: call.id !== undefined && native.has(call.id) ? call.id : undefined,
      callId: `r${n}c${i + 1}`,
      name: call.name,
      text: JSON.stringify(values[i]),
      critical: false,
    }),
  );
  return render({ kind: 'round', n, message, results, line: '' }, 'whole');
}
