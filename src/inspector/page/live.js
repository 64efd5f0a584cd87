/** Keeps what the page knows up to date: loads what the address names, and follows its events. */
import { follow, read } from './api.js';
import { app, changed, inWords, place, selectedAgent } from './state.js';

/**
 * @typedef {import('./state.js').AgentView} AgentView
 * @typedef {import('./state.js').FeedEvent} FeedEvent
 */

/** @type {(() => void) | undefined} */
let stopFollowing;
/** @type {string | undefined} */
let followed;
let allSeq = 0;

/** Loads what the present place needs and follows its events. */
export async function arrive() {
  const { view, task } = place();
  changed();
  if (view === 'task') {
    if (followed !== task) await openTask(/** @type {string} */ (task));
    else void loadRecords();
  } else {
    if (followed !== '') {
      stopFollowing?.();
      app.open = null;
      followed = '';
      allSeq = (await read('status').catch(() => ({ seq: 0 }))).seq;
      stopFollowing = follow({ after: () => allSeq, onTold: tookAny, onState: setLive });
    }
    await loadTasks();
  }
  await loadRequests();
}

/** @param {string} task */
async function openTask(task) {
  stopFollowing?.();
  followed = task;
  app.open = null;
  app.records = null;
  app.problem = null;
  changed();
  try {
    const loaded = await read(`tasks/${encodeURIComponent(task)}`);
    if (followed !== task) return;
    app.open = loaded;
    stopFollowing = follow({ task, after: () => app.open?.seq ?? 0, onTold: tookOne, onState: setLive });
    void loadRecords();
  } catch (error) {
    app.problem = inWords(error);
  }
  changed();
}

/** @param {boolean} live */
function setLive(live) {
  app.live = live;
  changed();
}

/** An event of the open task. @param {{ seq: number, event: FeedEvent, agent?: AgentView }} told */
function tookOne({ seq, event, agent }) {
  const { open } = app;
  if (open === null || seq <= open.seq) return;
  if (agent === undefined || event.kind === 'started' || event.kind === 'ended') reopen();
  const agents = open.tree.agents.map((one) => (agent !== undefined && one.agentId === agent.agentId ? agent : one));
  const events = [...open.events.slice(-499), { seq, value: event }];
  app.open = { ...open, seq, events, tree: { ...open.tree, agents } };
  if (event.kind !== 'started') loadRequestsSoon();
  if (event.agentId === selectedAgent()?.agentId) loadRecordsSoon();
  changed();
}

/** An event of any task, while the list is shown. @param {{ seq: number }} told */
function tookAny({ seq }) {
  allSeq = Math.max(allSeq, seq);
  loadTasksSoon();
  loadRequestsSoon();
}

/** Runs at once, and at most once in `ms`. @param {() => unknown} run @param {number} ms */
function paced(run, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let again = false;
  const fire = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (again) fire();
    }, ms);
    again = false;
    void run();
  };
  return () => {
    if (timer === undefined) fire();
    else again = true;
  };
}

const loadTasksSoon = paced(loadTasks, 500);
const loadRequestsSoon = paced(loadRequests, 300);
const loadRecordsSoon = paced(loadRecords, 400);

/** The shape of the tree has changed: fetch it whole. */
const reopen = paced(async () => {
  const task = followed;
  const loaded = await read(`tasks/${encodeURIComponent(task ?? '')}`).catch(() => null);
  if (loaded === null || followed !== task || app.open === null || loaded.seq < app.open.seq) return;
  app.open = loaded;
  changed();
}, 200);

async function loadTasks() {
  try {
    app.tasks = (await read('tasks')).tasks;
    app.problem = null;
  } catch (error) {
    app.problem = inWords(error);
  }
  changed();
}

async function loadRequests() {
  const found = await read('approvals').catch(() => null);
  if (found === null) return;
  app.requests = found.requests;
  for (const id of app.decided) if (!app.requests.some((request) => request.id === id)) app.decided.delete(id);
  changed();
}

/** Fetches what is new of the selected agent's journal, and its snapshot. */
export async function loadRecords() {
  const agent = selectedAgent();
  if (agent === undefined) return;
  const known = app.records?.agentId === agent.agentId ? app.records : null;
  if (known?.loading) return;
  const { agentId } = agent;
  app.records = known
    ? { ...known, loading: true }
    : { agentId, snapshot: null, records: [], earlier: 0, loading: true };
  const after = known?.records.at(-1)?.seq ?? 0;
  const found = await read(`agents/${encodeURIComponent(agentId)}?after=${after}`).catch(() => null);
  if (app.records?.agentId !== agentId) return;
  const before = known?.records ?? [];
  app.records =
    found === null
      ? { ...app.records, loading: false }
      : {
          agentId,
          snapshot: found.snapshot,
          records: [...before, ...found.records],
          earlier: (known?.earlier ?? 0) + found.earlier,
          loading: false,
        };
  changed();
}
