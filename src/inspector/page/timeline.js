/** Every agent's life on one axis of time, coloured by state. */
import { h } from './dom.js';
import { eventWord, nameOf, span, stateName, t } from './words.js';

const lane = { height: 22, gap: 6, left: 112, width: 880, top: 4 };

/** @param {import('./state.js').OpenTask} open @param {import('./state.js').AgentView | undefined} selected */
export function timelineView({ task, tree, events }, selected) {
  const running = tree.agents.some(({ status }) => status === undefined);
  const begin = Math.min(task.submittedAt, ...tree.agents.map(({ startedAt }) => startedAt));
  const end = Math.max(running ? Date.now() : 0, begin + 1_000, ...tree.agents.map(({ movedAt }) => movedAt));
  const x = (/** @type {number} */ at) =>
    lane.left + (Math.max(0, at - begin) / (end - begin)) * (lane.width - lane.left);
  const height = lane.top + tree.agents.length * (lane.height + lane.gap) + 22;
  return h(
    'div',
    { class: 'scroll' },
    h(
      'svg',
      { class: 'timeline', viewBox: `0 0 ${lane.width} ${height}`, role: 'img' },
      ticks(end - begin).map((ms) =>
        h(
          'g',
          { class: 'tick', key: `t${ms}` },
          h('line', { x1: x(begin + ms), x2: x(begin + ms), y1: 0, y2: height - 18 }),
          h('text', { x: x(begin + ms), y: height - 4 }, span(ms).replace('.0', '')),
        ),
      ),
      tree.agents.map((agent, index) =>
        laneView(agent, lane.top + index * (lane.height + lane.gap), events, x, end, agent === selected),
      ),
    ),
  );
}

/** @param {import('./state.js').AgentView} agent @param {number} y @param {import('./state.js').StoredEvent[]} events @param {(at: number) => number} x @param {number} end @param {boolean} isSelected */
function laneView(agent, y, events, x, end, isSelected) {
  const parts = partsOf(agent, events, end);
  const takeovers = events.flatMap(({ value }) =>
    value.kind === 'taken_over' && value.agentId === agent.agentId ? [value] : [],
  );
  return h(
    'g',
    { class: isSelected ? 'lane selected' : 'lane', key: agent.agentId },
    h('text', { x: lane.left - 10, y: y + 15, class: 'lane-name' }, nameOf(agent)),
    parts.map(({ state, from, to, cause }, index) =>
      h(
        'rect',
        {
          key: `p${index}`,
          class: `part hue-${state}`,
          x: x(from),
          y,
          width: Math.max(1.2, x(to) - x(from)),
          height: lane.height,
          rx: 3,
        },
        h('title', null, `${stateName(state)} · ${eventWord(cause)} · ${span(to - from)}`),
      ),
    ),
    takeovers.map(({ seq, at, from, host }) =>
      h(
        'path',
        {
          key: `o${seq}`,
          class: 'takeover',
          d: `M${x(at)} ${y - 3}v${lane.height + 6}m-4 ${-lane.height - 6}l4 5l4 -5`,
        },
        h('title', null, `${t('takeovers')}: ${from} → ${host}`),
      ),
    ),
  );
}

/** @param {import('./state.js').AgentView} agent @param {import('./state.js').StoredEvent[]} events @param {number} end */
function partsOf(agent, events, end) {
  /** @type {{ state: string, from: number, to: number, cause: string }[]} */
  const parts = [{ state: 'queued', from: agent.startedAt, to: end, cause: '' }];
  for (const { value } of events) {
    if (value.agentId !== agent.agentId) continue;
    const last = parts.at(-1);
    if (last === undefined) break;
    if (value.kind === 'moved' && value.state !== last.state) {
      last.to = value.at;
      parts.push({ state: value.state, from: value.at, to: end, cause: value.cause });
    }
  }
  const last = parts.at(-1);
  if (agent.status !== undefined && last !== undefined) last.to = Math.max(last.from, agent.movedAt);
  if (agent.status !== undefined)
    parts.push({ state: agent.status, from: agent.movedAt, to: agent.movedAt, cause: 'report' });
  return parts;
}

/** Five or so round spans. @param {number} ms */
function ticks(ms) {
  const steps = [
    200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
    21_600_000, 86_400_000,
  ];
  const step = steps.find((one) => ms / one <= 7) ?? ms / 5;
  return Array.from({ length: Math.floor(ms / step) + 1 }, (_, index) => index * step).filter((one) => one < ms * 0.97);
}
