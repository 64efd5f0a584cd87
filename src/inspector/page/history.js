/** What happened: events as they are told to watchers, the journal record by record, and the stored snapshot. */

import { chip } from './chip.js';
import { h } from './dom.js';
import { app, changed } from './state.js';
import { clock, eventWord, nameOf, short, stateName, t } from './words.js';

const mostShown = 250;

/** @param {import('./state.js').AgentView} agent */
export function eventsView(agent) {
  const all = app.open?.events ?? [];
  const wanted = app.everyAgent ? all : all.filter(({ value }) => value.agentId === agent.agentId);
  const toggle = h(
    'label',
    { class: 'check' },
    h('input', {
      type: 'checkbox',
      checked: !app.everyAgent,
      onchange: (/** @type {any} */ event) => {
        app.everyAgent = !event.target.checked;
        changed();
      },
    }),
    t('thisAgent'),
  );
  return h('div', null, toggle, h('ol', { class: 'events' }, wanted.slice(-mostShown).reverse().map(eventView)));
}

/** @param {import('./state.js').StoredEvent} stored */
function eventView({ seq, value }) {
  return h(
    'li',
    { key: seq, class: 'event', 'data-seq': seq },
    h('time', null, clock(value.at)),
    h('span', { class: 'event-who' }, nameOf(value)),
    ...wordsOf(value),
  );
}

/** @param {import('./state.js').FeedEvent} event */
function wordsOf(event) {
  const text = (/** @type {any} */ child) => h('span', { class: 'event-text', dir: 'auto' }, child);
  switch (event.kind) {
    case 'started':
      return [chip('queued'), text(event.goal)];
    case 'moved':
      return [
        chip(event.state),
        text([h('code', null, eventWord(event.cause)), event.detail ? ` ${event.detail}` : '']),
      ];
    case 'asked':
      return [
        chip('parked'),
        text(
          event.request.kind === 'approval'
            ? [t('wantsToRun'), ' ', h('code', null, event.request.tool)]
            : [t('asks'), ' ', event.request.question],
        ),
      ];
    case 'alerted':
      return [h('span', { class: 'state-chip hue-failed' }, t('alert')), text(event.text)];
    case 'taken_over':
      return [h('span', { class: 'state-chip hue-failed' }, t('takeovers')), text(`${event.from} → ${event.host}`)];
    case 'ended':
      return [
        chip(event.report.status),
        text([
          h('code', null, event.report.termination),
          ` ${event.report.summary}`,
          event.report.unverified !== undefined &&
            ` [${t('unverified')}: ${event.report.unverified.map(({ about }) => about).join(', ')}]`,
        ]),
      ];
  }
}

/** @param {import('./state.js').Records} records */
export function journalView({ records, earlier }) {
  if (records.length === 0) return h('p', { class: 'muted' }, t('noRecords'));
  return h(
    'div',
    null,
    h('ol', { class: 'journal' }, [...records].reverse().map(recordView)),
    earlier > 0 && h('p', { class: 'muted small' }, `${short(earlier)} ${t('earlier')}`),
  );
}

/** @param {any} record */
const recordView = ({ seq, kind, at, epoch, line, record }) =>
  h(
    'li',
    { key: seq },
    h(
      'details',
      null,
      h(
        'summary',
        null,
        h('span', { class: 'muted number' }, seq),
        h('time', null, clock(at)),
        h('span', { class: `kind kind-${kind}`, title: `epoch ${epoch}` }, kind),
        h('span', { class: 'line' }, line),
      ),
      h('pre', { class: 'json' }, JSON.stringify(record, null, 2)),
    ),
  );

/** @param {import('./state.js').Records} records */
export function snapshotView({ snapshot }) {
  if (snapshot === null) return h('p', { class: 'muted' }, t('noSnapshot'));
  const { context, ...rest } = snapshot;
  return h(
    'div',
    { class: 'snapshot' },
    h(
      'p',
      null,
      h('code', null, typeof snapshot.value === 'string' ? stateName(snapshot.value) : JSON.stringify(snapshot.value)),
      h('span', { class: 'muted small' }, ` · seq ${snapshot.seq} · epoch ${snapshot.epoch}`),
    ),
    Object.entries(context ?? {}).map(([name, value]) =>
      h(
        'details',
        { key: name },
        h('summary', null, h('code', null, name), h('span', { class: 'muted small' }, ` ${brief(value)}`)),
        h('pre', { class: 'json' }, JSON.stringify(value, null, 2) ?? ''),
      ),
    ),
    h(
      'details',
      { key: '$rest' },
      h('summary', null, h('code', null, '…')),
      h('pre', { class: 'json' }, JSON.stringify(rest, null, 2)),
    ),
  );
}

/** @param {unknown} value */
function brief(value) {
  const text = JSON.stringify(value) ?? '';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
