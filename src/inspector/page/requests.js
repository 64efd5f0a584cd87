/** What agents want of people: leave to run a call, or an answer. */
import { hasToken } from './api.js';
import { h } from './dom.js';
import { app, changed, perform } from './state.js';
import { visible } from './visible.js';
import { clock, t } from './words.js';

/** @typedef {import('./state.js').HumanRequest} HumanRequest */

/** @param {HumanRequest[]} requests @param {boolean} withTask */
export function requestsView(requests, withTask) {
  if (requests.length === 0) return h('p', { class: 'muted' }, t('noApprovals'));
  return h(
    'div',
    { class: 'requests' },
    requests.map((request) => requestView(request, withTask)),
  );
}

/** @param {HumanRequest} request @param {boolean} withTask */
function requestView(request, withTask) {
  const isApproval = request.kind === 'approval';
  return h(
    'article',
    { class: 'request', key: request.id, 'data-request': request.id },
    h(
      'div',
      { class: 'request-head' },
      h('b', null, request.role),
      ' ',
      isApproval ? t('wantsToRun') : t('asks'),
      ' ',
      isApproval && h('code', { class: 'tool' }, visible(request.tool)),
    ),
    h(
      'div',
      { class: 'muted small' },
      withTask
        ? h(
            'a',
            { href: `/tasks/${encodeURIComponent(request.taskId)}/${encodeURIComponent(request.agentId)}` },
            request.agentId,
          )
        : h('code', null, request.agentId),
      ` · ${clock(request.askedAt)}`,
    ),
    isApproval ? argumentsView(request.arguments) : h('p', { class: 'question', dir: 'auto' }, request.question),
    isApproval && h('div', { class: 'muted small' }, h('code', null, request.hash)),
    app.decided.has(request.id) ? h('p', { class: 'muted' }, t('sent')) : buttonsView(request),
  );
}

/** @param {Readonly<Record<string, unknown>>} values */
function argumentsView(values) {
  const long = Object.entries(values).filter(([, value]) => typeof value === 'string' && value.includes('\n'));
  return h(
    'div',
    null,
    h('div', { class: 'muted small' }, t('arguments')),
    h('pre', { class: 'json exact' }, visible(JSON.stringify(values, null, 2))),
    long.map(([name, value]) =>
      h(
        'details',
        { key: name },
        h('summary', null, h('code', null, visible(name))),
        h('pre', { class: 'json', dir: 'auto' }, visible(String(value))),
      ),
    ),
  );
}

/** @param {HumanRequest} request */
function buttonsView(request) {
  const base = `approvals/${encodeURIComponent(request.id)}`;
  const off = { disabled: !hasToken(), title: hasToken() ? undefined : t('readOnlyWhy') };
  const ask = (/** @type {'deny' | 'answer'} */ kind) => () => {
    app.dialog = { kind, id: request.id, title: request.kind === 'approval' ? request.tool : request.question };
    changed();
  };
  const approve = async () => {
    app.decided.add(request.id);
    if (!(await perform(`${base}/approve`))) app.decided.delete(request.id);
    changed();
  };
  if (request.kind === 'question')
    return h(
      'div',
      { class: 'buttons' },
      h('button', { class: 'primary', 'data-action': 'answer', onclick: ask('answer'), ...off }, `${t('answer')}…`),
    );
  return h(
    'div',
    { class: 'buttons' },
    h('button', { class: 'primary', 'data-action': 'approve', onclick: approve, ...off }, t('approve')),
    h('button', { class: 'danger', 'data-action': 'deny', onclick: ask('deny'), ...off }, `${t('deny')}…`),
  );
}
