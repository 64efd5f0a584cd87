/** Draws a task's tree as lines for a terminal or a page of plain text. */
import type { AgentView, TaskTree } from '../control/tree.js';
import { totalsOf } from '../control/tree.js';
import { count, duration, usd } from '../observe/cost.js';
import { clip, columnsOf, oneLine, pad, type Style, short } from './style.js';

export interface TreeLook {
  readonly columns: number;
  readonly style: Style;
  /** ms since 1970. */
  readonly now: number;
  /** The command that answers a request, for people. */
  readonly command: string;
}

const barCells = 10;

export function treeLines(tree: TaskTree, look: TreeLook): string[] {
  const [root] = tree.agents;
  if (root === undefined) return [look.style.dim('queued: no worker has taken the task yet')];
  const names = tree.agents.map((agent) => branch(agent, tree) + nameOf(agent, tree.taskId));
  const nameColumns = Math.min(Math.max(...names.map(columnsOf)), Math.max(12, Math.floor(look.columns / 3)));
  const rights = alignedRight(tree.agents.map((agent) => rightOf(agent, look.now)));
  const rows = tree.agents.flatMap((agent, index) =>
    rowsOf(agent, pad(names[index] ?? '', nameColumns), rights[index] ?? '', look),
  );
  const { repairs } = totalsOf(tree);
  const takeovers = tree.agents.reduce((total, agent) => total + agent.takeovers, 0);
  const notes = [
    ...(repairs > 0 ? [`repaired ${count(repairs, 'model output')}`] : []),
    ...(takeovers > 0
      ? [`taken over ${takeovers === 1 ? 'once' : `${takeovers} times`} from a process that died`]
      : []),
  ];
  return [...rows, ...notes.map((note) => look.style.yellow(clip(`! ${note}`, look.columns)))];
}

/** `planner`, `executor-2`, `executor-2-1`. */
export function nameOf(agent: Pick<AgentView, 'agentId' | 'role'>, taskId: string): string {
  const place = agent.agentId.startsWith(taskId) ? agent.agentId.slice(taskId.length) : `-${agent.agentId}`;
  return `${agent.role ?? 'agent'}${place}`;
}

function branch(agent: AgentView, tree: TaskTree): string {
  if (agent.parent === undefined) return '';
  const byId = new Map<string, AgentView>(tree.agents.map((one) => [one.agentId, one]));
  const isLast = (one: AgentView): boolean => byId.get(one.parent ?? '')?.children.at(-1) === one.agentId;
  let lines = isLast(agent) ? '└─ ' : '├─ ';
  for (let above = byId.get(agent.parent); above?.parent !== undefined; above = byId.get(above.parent)) {
    lines = (isLast(above) ? '   ' : '│  ') + lines;
  }
  return lines;
}

function rowsOf(agent: AgentView, name: string, right: string, look: TreeLook): string[] {
  const { style } = look;
  const word = agent.status ?? agent.state;
  const left = `${name} ${pad(word, 9)} `;
  const room = look.columns - columnsOf(left) - columnsOf(right) - 1;
  const middle = pad(oneLine(middleOf(agent)), Math.max(0, room));
  const colour = colourOf(agent, style);
  const row =
    `${name} ${colour(pad(word, 9))} ${agent.status === undefined ? middle : style.dim(middle)} ${style.dim(right)}`.trimEnd();
  return [
    row,
    ...planOf(agent).map((plan) => style.dim(clip(`${' '.repeat(columnsOf(name))} plan: ${plan}`, look.columns))),
    ...agent.waiting.map((request) =>
      style.yellow(clip(`${' '.repeat(columnsOf(name))} ${requestLine(request, look.command)}`, look.columns)),
    ),
  ];
}

/** A plan in one line, where the rows of its agents do not say it all: steps that wait, follow others or are tried again. */
function planOf({ plan = [] }: AgentView): string[] {
  if (
    !plan.some(({ state, dependsOn, attempt }) => state === 'waiting' || dependsOn.length > 0 || attempt !== undefined)
  )
    return [];
  const nameIn = (id: string): string => plan.find(({ agentId }) => agentId === id)?.name ?? id;
  const steps = plan.map(({ name, state, dependsOn, attempt }) => {
    const after = dependsOn.length === 0 ? '' : ` after ${dependsOn.map(nameIn).join(', ')}`;
    return `${oneLine(name)} ${state}${after}${attempt === undefined ? '' : ` (try ${attempt})`}`;
  });
  return [steps.join(' · ')];
}

/** What a human is asked, and the command that answers. */
export function requestLine(request: AgentView['waiting'][number], command: string): string {
  if (request.kind === 'question') return `ASKS: ${oneLine(request.question)} → ${command} answer ${request.id} TEXT`;
  const given = Object.values(request.arguments).filter((item) => typeof item === 'string' || typeof item === 'number');
  const shown = clip(oneLine(given.join(' ')), 40);
  return `${request.tool} ${shown} NEEDS APPROVAL → ${command} approve ${request.id}`;
}

function middleOf(agent: AgentView): string {
  if (agent.status !== undefined)
    return agent.unverified === undefined
      ? (agent.summary ?? '')
      : `UNVERIFIED ${agent.unverified.map(({ about }) => about).join(', ')}: ${agent.summary ?? ''}`;
  return agent.detail === '' ? agent.goal : agent.detail;
}

function rightOf(agent: AgentView, now: number): string[] {
  const { granted, usage, round } = agent;
  const ended = agent.status !== undefined;
  const spent = usage.inputTokens + usage.outputTokens;
  const tokens =
    granted === undefined
      ? short(spent)
      : `${bar(spent / Math.max(1, granted.tokens))} ${short(spent)}/${short(granted.tokens)}`;
  const time = duration(Math.max(0, (ended ? agent.movedAt : now) - agent.startedAt));
  const rounds = granted === undefined ? `round ${round}` : `round ${round}/${granted.rounds}`;
  return [tokens, usd(usage.costUsd), rounds, time];
}

/** Cells of all rows, each column as wide as its widest cell. */
function alignedRight(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => columnsOf(cells[at] ?? ''))));
  return rows.map((cells) => cells.map((cell, at) => pad(cell, widths[at] ?? 0)).join('  '));
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barCells);
  return '█'.repeat(full) + '░'.repeat(barCells - full);
}

function colourOf({ status, waiting, state }: AgentView, style: Style): (text: string) => string {
  if (status === 'done') return style.green;
  if (status === 'partial' || status === 'exhausted' || waiting.length > 0) return style.yellow;
  if (status !== undefined) return style.red;
  return state === 'parked' || state === 'queued' ? style.dim : style.cyan;
}
