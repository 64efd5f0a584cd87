/** The list of tasks. */

import { chip } from './chip.js';
import { h } from './dom.js';
import { app, changed } from './state.js';
import { clock, dollars, short, span, t } from './words.js';

export function tasksView() {
  const tasks = app.tasks ?? [];
  const shown = tasks.filter(matches);
  return h(
    'section',
    { class: 'page' },
    h('div', { class: 'bar' }, h('h1', null, t('tasks')), h('span', { class: 'space' }), searchView(), choiceView()),
    app.problem !== null && h('p', { class: 'problem', role: 'alert' }, app.problem),
    app.tasks === null && app.problem === null && h('p', { class: 'muted' }, t('loading')),
    app.tasks !== null && tasks.length === 0 && emptyView(),
    tasks.length > 0 && shown.length === 0 && h('p', { class: 'muted' }, t('noMatch')),
    shown.length > 0 && tableView(shown),
  );
}

const searchView = () =>
  h('input', {
    type: 'search',
    placeholder: t('filter'),
    'aria-label': t('filter'),
    value: app.filter,
    oninput: (/** @type {any} */ event) => {
      app.filter = event.target.value;
      changed();
    },
  });

const choiceView = () =>
  h(
    'div',
    { class: 'choice', role: 'group' },
    /** @type {const} */ (['all', 'running', 'ended']).map((choice) =>
      h(
        'button',
        {
          key: choice,
          'aria-pressed': app.show === choice ? 'true' : 'false',
          onclick: () => {
            app.show = choice;
            changed();
          },
        },
        t(choice),
      ),
    ),
  );

/** @param {any} task */
function matches(task) {
  if (app.show !== 'all' && (app.show === 'ended') !== (task.state === 'ended')) return false;
  const wanted = app.filter.trim().toLowerCase();
  return wanted === '' || task.goal.toLowerCase().includes(wanted) || task.taskId.toLowerCase().includes(wanted);
}

const emptyView = () =>
  h(
    'div',
    { class: 'empty' },
    h('h2', null, t('noTasks')),
    h('p', { class: 'muted' }, t('noTasksHow')),
    h('code', { class: 'block' }, 'hact run "Which endpoints got slower this week, and why?" --file access.log'),
  );

/** @param {any[]} tasks */
function tableView(tasks) {
  const number = (/** @type {string} */ word) => h('th', { class: 'number', scope: 'col' }, word);
  return h(
    'table',
    { class: 'tasks' },
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        h('th', { scope: 'col' }, t('state')),
        h('th', { scope: 'col' }, t('goal')),
        number(t('agents')),
        number(t('rounds')),
        number(t('tokens')),
        number(t('cost')),
        number(t('time')),
      ),
    ),
    h('tbody', { onkeydown: moveFocus }, tasks.map(rowView)),
  );
}

/** @param {any} task */
function rowView(task) {
  const { live } = task;
  const state = task.status ?? live?.state ?? 'queued';
  const tokens = live ? live.usage.inputTokens + live.usage.outputTokens : undefined;
  const number = (/** @type {string} */ word, /** @type {any} */ value) =>
    h('td', { class: 'number', 'data-label': word }, value ?? '–');
  return h(
    'tr',
    { key: task.taskId, 'data-task': task.taskId },
    h(
      'td',
      { class: 'state-cell' },
      chip(state),
      live?.waiting > 0 && h('span', { class: 'badge', title: t('needsYou') }, live.waiting),
    ),
    h(
      'td',
      { class: 'goal' },
      h('a', { href: `/tasks/${encodeURIComponent(task.taskId)}`, dir: 'auto' }, task.goal),
      h(
        'div',
        { class: 'muted small' },
        h('code', null, task.taskId),
        ' · ',
        clock(task.submittedAt),
        live?.detail ? ` · ${live.detail}` : '',
      ),
    ),
    number(t('agents'), live?.agents),
    number(t('rounds'), live?.usage.rounds),
    number(t('tokens'), tokens === undefined ? undefined : short(tokens)),
    number(t('cost'), live ? dollars(live.usage.costUsd) : undefined),
    number(t('time'), span((task.endedAt ?? Date.now()) - task.submittedAt)),
  );
}

/** Arrow keys go from task to task. @param {KeyboardEvent} event */
function moveFocus(event) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const links = [.../** @type {Element} */ (event.currentTarget).querySelectorAll('a')];
  links[links.indexOf(/** @type {any} */ (event.target)) + step]?.focus();
  event.preventDefault();
}
