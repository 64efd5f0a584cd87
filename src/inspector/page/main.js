/** The page: its frame, and how it begins. */
import { hasToken, keepToken, read } from './api.js';
import { chartView, heardView } from './chart.js';
import { dialogView } from './dialogs.js';
import { h, show } from './dom.js';
import { arrive } from './live.js';
import { requestsView } from './requests.js';
import { app, changed, connect, go, place } from './state.js';
import { taskView } from './task.js';
import { tasksView } from './tasks.js';
import { language, switchLanguage, t } from './words.js';

/** @typedef {import('./state.js').Chart} Chart */

function shell() {
  const { view } = place();
  const tab = (
    /** @type {string} */ name,
    /** @type {string} */ path,
    /** @type {string} */ word,
    /** @type {number} */ count = 0,
  ) =>
    h(
      'a',
      {
        href: path,
        class: 'tab',
        ...(view === name || (name === 'tasks' && view === 'task') ? { 'aria-current': 'page' } : {}),
      },
      word,
      count > 0 && h('span', { class: 'badge' }, count),
    );
  return h(
    'div',
    { class: 'shell', lang: language() === 'zh' ? 'zh-Hans' : 'en' },
    h(
      'header',
      { class: 'top' },
      h('a', { href: '/', class: 'brand' }, logo(), h('span', null, 'Hermes', h('b', null, ' Actors'))),
      h(
        'nav',
        null,
        tab('tasks', '/', t('tasks')),
        tab('approvals', '/approvals', t('approvals'), app.requests.length),
        tab('machines', '/machines', t('machines')),
      ),
      h('span', { class: 'space' }),
      !hasToken() && h('span', { class: 'readonly', title: t('readOnlyWhy') }, t('readOnly')),
      h('span', { class: app.live ? 'link live' : 'link', role: 'status' }, app.live ? t('live') : t('reconnecting')),
      h('button', { class: 'quiet', onclick: changeLanguage }, t('language')),
      h('button', { class: 'quiet', onclick: changeTheme, title: t('theme'), 'aria-label': t('theme') }, '◐'),
    ),
    h('main', { id: 'main' }, mainView(view)),
    dialogView(),
    h(
      'div',
      { class: 'notices', role: 'status', 'aria-live': 'polite' },
      app.notice && h('div', { class: app.notice.bad ? 'notice bad' : 'notice' }, app.notice.text),
    ),
  );
}

/** @param {string} view */
function mainView(view) {
  switch (view) {
    case 'task':
      return taskView();
    case 'approvals':
      return h('section', { class: 'page narrow' }, h('h1', null, t('approvals')), requestsView(app.requests, true));
    case 'machines':
      return h('section', { class: 'page' }, h('h1', null, t('machines')), app.machines.map(machineView));
    default:
      return tasksView();
  }
}

const machineView = (/** @type {Chart} */ chart) =>
  h(
    'article',
    { class: 'panel', key: chart.id },
    h('h2', null, chart.id, h('small', null, ` v${chart.version}`)),
    chartView(chart, {}),
    heardView(chart, undefined),
    edgeTable(chart),
  );

const edgeTable = (/** @type {Chart} */ chart) =>
  h(
    'details',
    null,
    h('summary', null, `${chart.edges.length} ${t('transitions')}`),
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        { class: 'edges' },
        h(
          'tbody',
          null,
          chart.edges.map((edge) =>
            h(
              'tr',
              null,
              h('td', null, edge.from || t('anyState')),
              h('td', null, h('code', null, edge.event || '·')),
              h('td', null, edge.guard ?? ''),
              h('td', null, '→ ', edge.to ?? ''),
              h('td', { class: 'muted' }, edge.actions.join(', ')),
            ),
          ),
        ),
      ),
    ),
  );

const logo = () =>
  h(
    'svg',
    { viewBox: '0 0 32 32', class: 'logo', 'aria-hidden': 'true' },
    h('path', { d: 'M9 7v18M23 12v13M9 17h14' }),
    h('circle', { cx: 23, cy: 8, r: 3.6 }),
  );

function changeLanguage() {
  switchLanguage();
  document.documentElement.lang = language() === 'zh' ? 'zh-Hans' : 'en';
  changed();
}

function changeTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light');
  document.documentElement.dataset.theme = now === 'dark' ? 'light' : 'dark';
  localStorage.setItem('hact.theme', document.documentElement.dataset.theme);
}

/** Links of this page change the view without loading it anew. @param {MouseEvent} event */
function followLink(event) {
  const link = /** @type {Element} */ (event.target).closest?.('a[href^="/"]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute('href') ?? '/');
}

function draw() {
  show(/** @type {Element} */ (document.getElementById('app')), [shell()]);
  const dialog = document.querySelector('dialog');
  if (dialog !== null && !dialog.open) dialog.showModal();
}

async function start() {
  keepToken();
  const theme = localStorage.getItem('hact.theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  document.documentElement.lang = language() === 'zh' ? 'zh-Hans' : 'en';
  document.addEventListener('click', followLink);
  addEventListener('popstate', () => void arrive());
  setInterval(changed, 1_000);
  app.machines = (await read('machines').catch(() => ({ machines: [] }))).machines;
  await arrive();
}

connect({ draw, arrive: () => void arrive() });
void start();
