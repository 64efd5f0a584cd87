/** Budgets as bars: what an agent and its settled children used, what it has handed out or reserved, what is left. */
import { h } from './dom.js';
import { dollars, nameOf, short, t } from './words.js';

/** @typedef {import('./state.js').AgentView} AgentView */

const kinds = /** @type {const} */ (['rounds', 'tokens', 'costUsd', 'toolCalls', 'children']);
const words = /** @type {const} */ ({
  rounds: 'rounds',
  tokens: 'tokens',
  costUsd: 'cost',
  toolCalls: 'toolCalls',
  children: 'children',
});

/** @param {import('./state.js').OpenTask} open @param {AgentView | undefined} agent */
export function budgetsView({ tree }, agent) {
  const root = tree.agents[0];
  if (root?.granted === undefined) return h('div', null, h('h2', null, t('budget')), h('p', { class: 'muted' }, '–'));
  return h(
    'div',
    { class: 'budgets' },
    h('h2', null, t('budget')),
    h(
      'div',
      { key: 'tree', 'data-budget': 'tree' },
      h('h3', null, t('wholeTask')),
      kinds
        .filter((kind) => kind !== 'children')
        .map((kind) => barView(kind, root.granted?.[kind] ?? 0, total(tree.agents, kind), 0)),
    ),
    agent?.granted !== undefined &&
      h(
        'div',
        { key: 'agent', 'data-budget': 'agent' },
        h('h3', null, t('thisAgent'), ' · ', nameOf(agent)),
        kinds.map((kind) => agentBar(agent, kind)),
      ),
  );
}

/** What an agent used counts what its children reported: those that have not are not in anybody's sum yet. @param {readonly AgentView[]} agents @param {typeof kinds[number]} kind */
const total = (agents, kind) =>
  agents
    .filter(({ parent, status }) => parent === undefined || status === undefined)
    .reduce((sum, agent) => sum + usedBy(agent, kind), 0);

/** @param {AgentView} agent @param {typeof kinds[number]} kind */
function usedBy(agent, kind) {
  switch (kind) {
    case 'tokens':
      return agent.usage.inputTokens + agent.usage.outputTokens;
    case 'children':
      return agent.children.length;
    default:
      return agent.usage[kind];
  }
}

/** @param {AgentView} agent @param {typeof kinds[number]} kind */
function agentBar(agent, kind) {
  const granted = agent.granted?.[kind] ?? 0;
  const committed = granted - (agent.remaining?.[kind] ?? granted);
  const used = Math.min(usedBy(agent, kind), Math.max(committed, 0));
  return barView(kind, granted, used, Math.max(0, committed - used));
}

/** @param {typeof kinds[number]} kind @param {number} granted @param {number} used @param {number} committed */
function barView(kind, granted, used, committed) {
  const show = kind === 'costUsd' ? dollars : short;
  const part = (/** @type {number} */ value) =>
    `${granted === 0 ? 0 : Math.min(100, (value / granted) * 100).toFixed(2)}%`;
  const full = granted > 0 && (used + committed) / granted > 0.9;
  return h(
    'div',
    { class: full ? 'gauge high' : 'gauge', key: kind, 'data-gauge': kind },
    h(
      'div',
      { class: 'gauge-words' },
      h('span', null, t(words[kind])),
      h(
        'span',
        null,
        h('b', null, show(used + committed)),
        h('span', { class: 'muted' }, ` ${t('of')} ${show(granted)}`),
      ),
    ),
    h(
      'div',
      {
        class: 'gauge-bar',
        role: 'meter',
        'aria-label': t(words[kind]),
        'aria-valuemin': 0,
        'aria-valuemax': granted,
        'aria-valuenow': used + committed,
      },
      h('span', { class: 'used', style: { width: part(used) } }),
      h('span', { class: 'committed', style: { width: part(committed) } }),
    ),
  );
}
