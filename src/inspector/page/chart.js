/** Draws a statechart: every state and edge, the current state lit, and the way that the last event took. */
import { layoutOf } from './chart-layout.js';
import { h } from './dom.js';
import { eventWord, inWords, plainEvent, stateName, t } from './words.js';

/**
 * @typedef {import('../chart.js').Chart} Chart
 * @typedef {{ state?: string, nested?: string, before?: string, cause?: string, visits?: Map<string, number> }} Position
 */

/** @param {Chart} chart @param {Position} position */
export function chartView(chart, position) {
  const layout = layoutOf(chart);
  const lit = litStates(chart, position);
  const way = wayTaken(chart, position);
  const groups = edgeGroups(chart).filter(({ from }) => layout.boxes.has(from));
  const label = `${t('statechart')} ${chart.id}${position.state ? `: ${stateName(position.state)}` : ''}`;
  return h(
    'svg',
    {
      class: 'chart',
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      role: 'img',
      'aria-label': label,
      'data-state': position.state ?? '',
    },
    h('defs', null, arrow('arrow'), arrow('arrow-lit')),
    chart.states.filter(({ kind }) => kind === 'compound').map((state) => compoundView(state, layout, lit)),
    groups.map((group) => edgeView(group, layout, way.has(keyOf(group.from, group.to)))),
    layout.boxes.has('') && anywhereView(layout),
    entryView(chart, layout),
    chart.states
      .filter(({ kind }) => kind !== 'compound')
      .map((state) => stateView(state, layout, lit, position.visits)),
    groups.filter(({ from, to }) => !way.has(keyOf(from, to))).map((group) => labelView(group, layout)),
    litLabel(groups, layout, way, position.cause),
  );
}

/** Events that move nothing, wherever the agent is. @param {Chart} chart @param {string | undefined} cause */
export function heardView(chart, cause) {
  const names = [
    ...new Set(chart.edges.filter(({ from, to }) => from === '' && to === undefined).map(({ event }) => event)),
  ];
  if (names.length === 0) return null;
  return h(
    'div',
    { class: 'heard' },
    h('span', { class: 'muted' }, t('heardAnywhere')),
    names.map((name) => h('code', { class: name === cause ? 'chip lit' : 'chip', key: name }, name)),
  );
}

const keyOf = (/** @type {string} */ from, /** @type {string} */ to) => `${from}>${to}`;

/** Edges between the same two states are drawn as one. @param {Chart} chart */
function edgeGroups(chart) {
  /** @type {Map<string, { from: string, to: string, edges: Chart['edges'][number][] }>} */
  const groups = new Map();
  for (const edge of chart.edges) {
    if (edge.to === undefined) continue;
    const key = keyOf(edge.from, edge.to);
    const group = groups.get(key) ?? { from: edge.from, to: edge.to, edges: [] };
    group.edges.push(edge);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The state, everything around it, and the one inside that is active. @param {Chart} chart @param {Position} position */
function litStates(chart, { state, nested }) {
  const lit = new Set(state === undefined ? [] : [state]);
  const inside = chart.states.filter(({ parent }) => parent === state);
  const leaf = inside.find(({ name }) => name === nested) ?? inside.find(({ effects }) => effects.length > 0);
  if (leaf !== undefined) lit.add(leaf.path);
  return lit;
}

/**
 * The edges from one state to the next: the first by the event that is known, then those that need none.
 * @param {Chart} chart @param {Position} position @returns {Set<string>}
 */
function wayTaken(chart, { state, before, cause }) {
  if (state === undefined || cause === undefined || cause === '') return new Set();
  const within = (/** @type {string} */ path, /** @type {string} */ outer) =>
    path === outer || path.startsWith(`${outer}.`);
  const starts = chart.edges.filter(
    ({ event, from, to }) =>
      plainEvent(event) === plainEvent(cause) &&
      to !== undefined &&
      (from === '' || before === undefined || within(from, before)),
  );
  /** @type {{ at: string, keys: string[] }[]} */
  let open = starts.map(({ from, to }) => ({ at: to ?? '', keys: [keyOf(from, to ?? '')] }));
  const direct = chart.edges.filter(({ event, from }) => event === '' && before !== undefined && within(from, before));
  if (open.length === 0 && before !== state)
    open = direct.map(({ from, to }) => ({ at: to ?? '', keys: [keyOf(from, to ?? '')] }));
  const seen = new Set();
  for (let steps = 0; steps < 8; steps += 1) {
    const there = open.find(({ at }) => within(at, state));
    if (there !== undefined) return new Set(there.keys);
    open = open.flatMap(({ at, keys }) =>
      onward(chart, at).flatMap(({ from, to }) => {
        const key = keyOf(from, to ?? '');
        if (seen.has(key)) return [];
        seen.add(key);
        return [{ at: to ?? '', keys: [...keys, key] }];
      }),
    );
  }
  return new Set();
}

/** Edges that may follow without a further event: of the state, or of the one it starts with. @param {Chart} chart @param {string} at */
function onward(chart, at) {
  const state = chart.states.find(({ path }) => path === at);
  const places = new Set([at, state?.initial ?? '', state?.parent ?? '']);
  places.delete('');
  return chart.edges.filter(
    ({ event, from, to }) => to !== undefined && places.has(from) && (event === '' || event.startsWith('xstate.done.')),
  );
}

const arrow = (/** @type {string} */ id) =>
  h(
    'marker',
    {
      id,
      viewBox: '0 0 8 8',
      refX: 6,
      refY: 4,
      markerWidth: 7,
      markerHeight: 7,
      orient: 'auto-start-reverse',
      markerUnits: 'userSpaceOnUse',
    },
    h('path', { d: 'M0 0.6L7.4 4L0 7.4Z', class: id }),
  );

/** @param {Chart['states'][number]} state @param {import('./chart-layout.js').Layout} layout @param {Set<string>} lit */
function compoundView({ path, name }, layout, lit) {
  const box = layout.boxes.get(path);
  if (box === undefined) return null;
  return h(
    'g',
    { class: `compound hue-${name}${lit.has(path) ? ' lit' : ''}`, key: `box-${path}` },
    h('rect', { class: 'compound-box', x: box.x, y: box.y, width: box.w, height: box.h, rx: 16 }),
    h('text', { x: box.x + 16, y: box.y + 22, class: 'compound-name' }, stateName(name)),
  );
}

/** @param {Chart['states'][number]} state @param {import('./chart-layout.js').Layout} layout @param {Set<string>} lit @param {Map<string, number> | undefined} visits */
function stateView({ path, name, parent, kind, effects }, layout, lit, visits) {
  const box = layout.boxes.get(path);
  if (box === undefined) return null;
  const hue = parent === '' ? name : parent.split('.')[0];
  const count = visits?.get(path) ?? 0;
  return h(
    'g',
    {
      class: `state hue-${hue}${parent === '' ? '' : ' inner'}${kind === 'final' ? ' final' : ''}${lit.has(path) ? ' lit' : ''}`,
      'data-path': path,
      key: `state-${path}`,
    },
    h('rect', {
      class: 'glow',
      x: box.x - 5,
      y: box.y - 5,
      width: box.w + 10,
      height: box.h + 10,
      rx: parent === '' ? 17 : 14,
    }),
    h('rect', { class: 'body', x: box.x, y: box.y, width: box.w, height: box.h, rx: parent === '' ? 13 : 10 }),
    kind === 'final' &&
      h('rect', {
        class: 'ring',
        x: box.x + 4,
        y: box.y + 4,
        width: box.w - 8,
        height: box.h - 8,
        rx: parent === '' ? 10 : 7,
      }),
    h(
      'text',
      { class: 'name', x: box.x + box.w / 2, y: box.y + box.h / 2 + 5 },
      parent === '' ? stateName(name) : name,
    ),
    effects.length > 0 && h('title', null, `${name}: ${t('runs')} ${effects.join(', ')}`),
    count > 0 && h('text', { class: 'visits', x: box.x + box.w - 10, y: box.y + 15 }, `×${count}`),
  );
}

/** @param {{ from: string, to: string, edges: Chart['edges'] }} group @param {import('./chart-layout.js').Layout} layout @param {boolean} lit */
function edgeView({ from, to, edges }, layout, lit) {
  const { d } = layout.route(from, to);
  if (d === '') return null;
  const title = edges.map(
    ({ event, guard }) =>
      `${event === '' ? '' : eventWord(event)}${guard === undefined ? '' : ` [${inWords(guard)}]`}`.trim() || '→',
  );
  return h(
    'g',
    { class: lit ? 'edge lit' : 'edge', 'data-edge': keyOf(from, to), key: `edge-${keyOf(from, to)}` },
    h('path', { class: 'line', d, 'marker-end': lit ? 'url(#arrow-lit)' : 'url(#arrow)' }),
    h('path', { class: 'touch', d }, h('title', null, title.join('\n'))),
  );
}

const longestLabel = 24;

/** @param {{ from: string, to: string, edges: Chart['edges'] }} group @param {import('./chart-layout.js').Layout} layout */
function labelView({ from, to, edges }, layout) {
  const { label } = layout.route(from, to);
  // What is always taken says most about where events lead that are heard everywhere.
  const told = from === '' ? [...edges].sort((a, b) => (a.guard ?? '').length - (b.guard ?? '').length) : edges;
  const words = [...new Set(told.map(labelOf))];
  const first = words[0] ?? '';
  if (label === undefined || first === '') return null;
  const cut = first.length > longestLabel ? `${first.slice(0, longestLabel - 1)}…` : first;
  const text = words.length > 1 ? `${cut} +${words.length - 1}` : cut;
  return h(
    'text',
    {
      class: 'edge-label',
      x: label.x,
      y: label.y,
      style: { 'text-anchor': label.anchor ?? 'middle' },
      key: `label-${keyOf(from, to)}`,
    },
    text,
  );
}

/** A guard tells more than the event when the event is that an effect is done. @param {Chart['edges'][number]} edge */
function labelOf({ from, event, guard }) {
  if (from === '') return event;
  if (guard !== undefined) return inWords(guard.replaceAll('not paused and ', ''));
  if (event === '' || event.startsWith('xstate.done.')) return '';
  return event.startsWith('xstate.error.') ? 'error' : event;
}

/** @param {import('./chart-layout.js').Layout} layout */
function anywhereView(layout) {
  const box = /** @type {import('./chart-layout.js').Box} */ (layout.boxes.get(''));
  return h(
    'g',
    { class: 'anywhere', key: 'anywhere' },
    h('rect', { class: 'anywhere-box', x: box.x, y: box.y, width: box.w, height: box.h, rx: box.h / 2 }),
    h('text', { x: box.x + box.w / 2, y: box.y + box.h / 2 + 4 }, t('anyState')),
  );
}

/** @param {Chart} chart @param {import('./chart-layout.js').Layout} layout */
function entryView(chart, layout) {
  const box = layout.boxes.get(chart.initial);
  if (box === undefined) return null;
  const y = box.y + box.h / 2;
  return h(
    'g',
    { class: 'entry', key: 'entry' },
    h('circle', { cx: box.x - 28, cy: y, r: 5 }),
    h('path', { class: 'line', d: `M${box.x - 23} ${y}H${box.x - 6}`, 'marker-end': 'url(#arrow)' }),
  );
}

/** The event that moved the agent, on the first edge of its way. @param {{ from: string, to: string }[]} groups @param {import('./chart-layout.js').Layout} layout @param {Set<string>} way @param {string | undefined} cause */
function litLabel(groups, layout, way, cause) {
  const first = groups.find(({ from, to }) => keyOf(from, to) === [...way][0]);
  if (first === undefined || cause === undefined) return null;
  const route = layout.route(first.from, first.to);
  const place = middleOf(route.d);
  const text = eventWord(cause);
  const width = text.length * 7.4 + 20;
  return h(
    'g',
    { class: 'lit-label', 'data-event': cause, key: 'lit-label' },
    h('rect', { class: 'lit-label-box', x: place.x - width / 2, y: place.y - 12, width, height: 24, rx: 12 }),
    h('text', { x: place.x, y: place.y + 4 }, text),
  );
}

/** The point half way along a path. @param {string} d */
function middleOf(d) {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', d);
  return path.getPointAtLength(path.getTotalLength() / 2);
}
