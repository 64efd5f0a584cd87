/** What the page knows and where it is; everything else reads it from here and says when it has changed something. */
import { act, Refused } from './api.js';
import { t } from './words.js';

/**
 * @typedef {import('../../control/tree.js').AgentView} AgentView
 * @typedef {import('../../control/tree.js').TaskTree} TaskTree
 * @typedef {import('../../domain/event.js').FeedEvent} FeedEvent
 * @typedef {import('../../domain/human.js').HumanRequest} HumanRequest
 * @typedef {import('../../domain/task.js').TaskRecord} TaskRecord
 * @typedef {import('../chart.js').Chart} Chart
 * @typedef {{ seq: number, value: FeedEvent }} StoredEvent
 * @typedef {{ task: TaskRecord, tree: TaskTree, events: StoredEvent[], seq: number }} OpenTask
 * @typedef {{ agentId: string, snapshot: any, records: any[], earlier: number, loading: boolean }} Records
 * @typedef {{ kind: 'correct' | 'cancel' | 'deny' | 'answer', id: string, title: string, problem?: string }} Dialog
 */

export const app = {
  live: false,
  /** @type {Chart[]} */
  machines: [],
  /** @type {any[] | null} */
  tasks: null,
  filter: '',
  /** @type {'all' | 'running' | 'ended'} */
  show: 'all',
  /** @type {OpenTask | null} */
  open: null,
  /** @type {'events' | 'journal' | 'snapshot'} */
  tab: 'events',
  everyAgent: true,
  /** @type {Records | null} */
  records: null,
  /** @type {HumanRequest[]} */
  requests: [],
  /** @type {Dialog | null} */
  dialog: null,
  /** @type {{ text: string, bad: boolean } | null} */
  notice: null,
  /** @type {string | null} */
  problem: null,
  /** Requests that were decided here and are not settled yet. @type {Set<string>} */
  decided: new Set(),
};

/** @returns {{ view: 'tasks' | 'task' | 'approvals' | 'machines', task?: string, agent?: string }} */
export function place() {
  const [view, task, agent] = location.pathname.split('/').slice(1).map(decodeURIComponent);
  if (view === 'tasks' && task) return { view: 'task', task, ...(agent ? { agent } : {}) };
  if (view === 'approvals' || view === 'machines') return { view };
  return { view: 'tasks' };
}

/** Set once, by main: what draws, and what loads the place that the address names. */
const hooks = { draw: () => {}, arrive: () => {} };
/** @param {typeof hooks} given */
export const connect = (given) => Object.assign(hooks, given);

/** @param {string} path @param {{ replace?: boolean }} [options] */
export function go(path, { replace = false } = {}) {
  if (path !== location.pathname) history[replace ? 'replaceState' : 'pushState'](null, '', path);
  hooks.arrive();
}

let drawing = false;
/** Draws soon; many changes at once are drawn once. */
export function changed() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    hooks.draw();
  });
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let noticeTimer;
/** @param {string} text @param {boolean} [bad] */
export function notify(text, bad = false) {
  app.notice = { text, bad };
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(
    () => {
      app.notice = null;
      changed();
    },
    bad ? 10_000 : 3_000,
  );
  changed();
}

/** Does something on the server and says how it went. @param {string} path @param {object} [body] */
export async function perform(path, body) {
  try {
    await act(path, body);
    notify(`✓ ${t('sent')}`);
    return true;
  } catch (error) {
    notify(inWords(error), true);
    return false;
  }
}

/** @param {unknown} error */
export const inWords = (error) =>
  error instanceof Refused ? [error.message, error.hint].filter(Boolean).join(' — ') : String(error);

/** The agent that is looked at: the one in the address, else the root. @returns {AgentView | undefined} */
export function selectedAgent() {
  const agents = app.open?.tree.agents ?? [];
  const { agent } = place();
  return agents.find(({ agentId }) => agentId === agent) ?? agents[0];
}
