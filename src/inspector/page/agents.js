/** The tree of agents. */
import { h } from './dom.js';
import { app, go } from './state.js';
import { nameOf, stateName, t } from './words.js';

/** @typedef {import('./state.js').AgentView} AgentView */

/** @param {import('./state.js').OpenTask} open @param {AgentView | undefined} selected @param {import('./state.js').HumanRequest[]} requests */
export function agentsView({ tree }, selected, requests) {
  const base = tree.agents[0]?.depth ?? 0;
  return h(
    'div',
    { class: 'tree', role: 'tree', 'aria-label': t('agents'), onkeydown: moveSelection },
    tree.agents.map((agent) =>
      itemView(
        agent,
        agent.depth - base,
        agent.agentId === selected?.agentId,
        requests.filter(({ agentId }) => agentId === agent.agentId).length,
      ),
    ),
  );
}

/** @param {AgentView} agent @param {number} level @param {boolean} isSelected @param {number} waiting */
function itemView(agent, level, isSelected, waiting) {
  const state = agent.status ?? agent.state;
  const granted = agent.granted?.tokens ?? 0;
  const used = granted === 0 ? 0 : Math.min(1, (granted - (agent.remaining?.tokens ?? granted)) / granted);
  return h(
    'div',
    {
      key: agent.agentId,
      class: 'agent',
      role: 'treeitem',
      tabindex: isSelected ? '0' : '-1',
      'aria-selected': isSelected ? 'true' : 'false',
      'aria-level': level + 1,
      'data-agent': agent.agentId,
      style: { '--level': String(level) },
      onclick: () => select(agent.agentId),
    },
    h('span', {
      class: `dot hue-${state}${agent.status === undefined && agent.state !== 'parked' && agent.state !== 'queued' ? ' busy' : ''}`,
    }),
    h(
      'div',
      { class: 'agent-body' },
      h(
        'div',
        { class: 'agent-line' },
        h('b', null, nameOf(agent)),
        h('span', { class: `word hue-${state}` }, stateName(state)),
        waiting > 0 && h('span', { class: 'badge' }, waiting),
        h('span', { class: 'space' }),
        h('span', { class: 'muted small' }, roundsOf(agent)),
      ),
      h('div', { class: 'muted small clip', dir: 'auto', title: agent.goal }, agent.goal || agent.agentId),
      h(
        'div',
        {
          class: 'mini',
          role: 'meter',
          'aria-label': t('tokens'),
          'aria-valuenow': Math.round(used * 100),
          'aria-valuemin': 0,
          'aria-valuemax': 100,
        },
        h('span', { class: used > 0.9 ? 'high' : '', style: { width: `${(used * 100).toFixed(1)}%` } }),
      ),
    ),
  );
}

const roundsOf = (/** @type {AgentView} */ agent) =>
  agent.granted === undefined ? String(agent.round) : `${agent.round}/${agent.granted.rounds}`;

/** @param {string} agentId */
function select(agentId) {
  const task = app.open?.task.taskId;
  if (task !== undefined) go(`/tasks/${encodeURIComponent(task)}/${encodeURIComponent(agentId)}`, { replace: true });
}

/** @param {KeyboardEvent} event */
function moveSelection(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
  const items = [.../** @type {Element} */ (event.currentTarget).querySelectorAll('[role=treeitem]')];
  const now = items.indexOf(/** @type {Element} */ (event.target));
  const next =
    event.key === 'Home' ? items[0] : event.key === 'End' ? items.at(-1) : step === 0 ? undefined : items[now + step];
  if (next === undefined) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (next).focus();
  select(next.getAttribute('data-agent') ?? '');
}
