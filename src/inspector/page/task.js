/** One task: its agents, the statechart of the selected one, what it may spend, and what it wants of people. */

import { agentsView } from './agents.js';
import { hasToken } from './api.js';
import { chartView, heardView } from './chart.js';
import { chip } from './chip.js';
import { h } from './dom.js';
import { budgetsView } from './gauges.js';
import { eventsView, journalView, snapshotView } from './history.js';
import { loadRecords } from './live.js';
import { requestsView } from './requests.js';
import { app, changed, perform, selectedAgent } from './state.js';
import { timelineView } from './timeline.js';
import { clock, nameOf, span, stateName, t } from './words.js';

/** @typedef {import('./state.js').AgentView} AgentView */

export function taskView() {
  const { open, problem } = app;
  if (open === null) {
    return h(
      'section',
      { class: 'page' },
      problem === null
        ? h('p', { class: 'muted' }, t('loading'))
        : h('p', { class: 'problem', role: 'alert' }, problem),
      h('p', null, h('a', { href: '/' }, `← ${t('tasks')}`)),
    );
  }
  const agent = selectedAgent();
  const requests = app.requests.filter(({ taskId }) => taskId === open.task.taskId);
  return h(
    'section',
    { class: 'task', key: open.task.taskId },
    headView(open),
    h(
      'div',
      { class: 'columns' },
      h(
        'aside',
        { class: 'left' },
        h('div', { class: 'panel' }, h('h2', null, t('agents')), agentsView(open, agent, requests)),
      ),
      h(
        'div',
        { class: 'middle' },
        agent && h('div', { class: 'panel' }, agentHead(agent), machineView(agent)),
        h('div', { class: 'panel' }, h('h2', null, t('timeline')), timelineView(open, agent)),
        agent && h('div', { class: 'panel' }, tabsView(), historyView(agent)),
      ),
      h(
        'aside',
        { class: 'right' },
        requests.length > 0 &&
          h(
            'div',
            { class: 'panel needs' },
            h('h2', null, t('needsYou'), h('span', { class: 'badge' }, requests.length)),
            requestsView(requests, false),
          ),
        h('div', { class: 'panel' }, budgetsView(open, agent)),
        agent?.summary !== undefined && reportView(agent),
      ),
    ),
  );
}

/** @param {import('./state.js').OpenTask} open */
function headView({ task, tree }) {
  const state = task.report?.status ?? tree.agents[0]?.status ?? tree.agents[0]?.state ?? 'queued';
  const ended = task.endedAt ?? (tree.agents[0]?.status === undefined ? undefined : tree.agents[0].movedAt);
  return h(
    'header',
    { class: 'task-head' },
    h('div', { class: 'crumbs' }, h('a', { href: '/' }, t('tasks')), ' / ', h('code', null, task.taskId)),
    h('h1', { dir: 'auto', title: task.goal.length > 160 ? task.goal : undefined }, task.goal),
    h(
      'div',
      { class: 'facts' },
      chip(state),
      h('span', null, t('started'), ' ', clock(task.submittedAt)),
      h('span', null, span((ended ?? Date.now()) - task.submittedAt)),
    ),
  );
}

/** @param {AgentView} agent */
function agentHead(agent) {
  const ended = agent.status !== undefined;
  const act = (/** @type {string} */ verb) => () => void perform(`agents/${encodeURIComponent(agent.agentId)}/${verb}`);
  const ask = (/** @type {'correct' | 'cancel'} */ kind) => () => {
    app.dialog = { kind, id: agent.agentId, title: agent.agentId };
    changed();
  };
  const paused = agent.state === 'parked' && (agent.cause === 'human.paused' || /\bpaused\b/.test(agent.detail));
  const button = (
    /** @type {string} */ verb,
    /** @type {string} */ word,
    /** @type {() => void} */ onclick,
    /** @type {string} */ look = '',
  ) =>
    h(
      'button',
      {
        class: look,
        'data-action': verb,
        onclick,
        disabled: ended || !hasToken(),
        title: hasToken() ? undefined : t('readOnlyWhy'),
      },
      word,
    );
  return h(
    'div',
    { class: 'agent-head' },
    h(
      'div',
      { class: 'who' },
      h('h2', null, nameOf(agent), ' ', chip(agent.status ?? agent.state)),
      h(
        'div',
        { class: 'muted small' },
        h('code', null, agent.agentId),
        ` · ${t('round')} ${agent.round}`,
        agent.host && ` · ${t('host')} ${agent.host}`,
        agent.takeovers > 0 && ` · ${agent.takeovers} ${t('takeovers')}`,
        agent.repairs > 0 && ` · ${agent.repairs} ${t('repairs')}`,
      ),
      agent.detail && h('div', { class: 'detail', dir: 'auto' }, agent.detail),
    ),
    h(
      'div',
      { class: 'buttons' },
      button('pause', t('pause'), act('pause')),
      button('resume', t('resume'), act('resume'), paused ? 'primary' : ''),
      button('correct', t('correct'), ask('correct')),
      button('cancel', t('cancelTask'), ask('cancel'), 'danger'),
    ),
  );
}

/** @param {AgentView} agent */
function machineView(agent) {
  const chart = app.machines.find(({ id }) => id === agent.role) ?? app.machines[0];
  if (chart === undefined) return null;
  const moves = (app.open?.events ?? []).flatMap(({ value }) =>
    value.kind === 'moved' && value.agentId === agent.agentId ? [value] : [],
  );
  /** @type {Map<string, number>} */
  const visits = new Map();
  for (const { state } of moves) visits.set(state, (visits.get(state) ?? 0) + 1);
  const before = moves.at(-2)?.state ?? (moves.length === 0 ? undefined : chart.initial);
  return h(
    'div',
    { class: 'machine' },
    chartView(chart, { state: agent.state, nested: nestedOf(agent), before, cause: agent.cause, visits }),
    heardView(chart, agent.cause),
  );
}

/** The inner state, where the stored snapshot is of the same outer one. @param {AgentView} agent */
function nestedOf({ agentId, state }) {
  const value = app.records?.agentId === agentId ? app.records.snapshot?.value : undefined;
  const inner = typeof value === 'object' && value !== null ? value[state] : undefined;
  return typeof inner === 'string' ? inner : undefined;
}

function tabsView() {
  return h(
    'div',
    { class: 'tabs', role: 'tablist' },
    /** @type {const} */ (['events', 'journal', 'snapshot']).map((name) =>
      h(
        'button',
        {
          role: 'tab',
          key: name,
          'aria-selected': app.tab === name ? 'true' : 'false',
          onclick: () => {
            app.tab = name;
            changed();
            void loadRecords();
          },
        },
        t(name),
      ),
    ),
  );
}

/** @param {AgentView} agent */
function historyView(agent) {
  if (app.tab === 'events') return eventsView(agent);
  const records = app.records?.agentId === agent.agentId ? app.records : null;
  if (records === null) return h('p', { class: 'muted' }, t('loading'));
  return app.tab === 'journal' ? journalView(records) : snapshotView(records);
}

/** @param {NonNullable<AgentView['unverified']>} claims */
const unverifiedView = (claims) =>
  h(
    'div',
    { class: 'unverified' },
    h('h3', null, t('unverified')),
    h(
      'ul',
      null,
      claims.map(({ about, claim, reason }) =>
        h(
          'li',
          { dir: 'auto' },
          h('b', null, about),
          claim === '' || claim === about ? '' : ` “${claim}”`,
          h('div', { class: 'muted small' }, reason),
        ),
      ),
    ),
  );

/** @param {AgentView} agent */
const reportView = (agent) =>
  h(
    'div',
    { class: 'panel' },
    h('h2', null, t('report'), ' ', chip(agent.status ?? 'done')),
    h('p', { class: 'summary', dir: 'auto' }, agent.summary ?? ''),
    agent.unverified !== undefined && unverifiedView(agent.unverified),
    agent.termination !== undefined &&
      h('div', { class: 'muted small' }, h('code', null, agent.termination), ` · ${stateName(agent.status ?? '')}`),
  );
