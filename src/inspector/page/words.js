/** The page's words in English and Chinese, and numbers, times and names as people read them. */

const english = {
  tasks: 'Tasks',
  approvals: 'Approvals',
  machines: 'Machines',
  live: 'live',
  reconnecting: 'reconnecting…',
  readOnly: 'read only',
  readOnlyWhy: 'Opened without the token: open the whole address that was printed at the start to approve and steer.',
  theme: 'Colours',
  language: '中文',
  state: 'State',
  goal: 'Goal',
  agents: 'Agents',
  rounds: 'Rounds',
  tokens: 'Tokens',
  cost: 'Cost',
  toolCalls: 'Tool calls',
  children: 'Children',
  started: 'Started',
  time: 'Time',
  all: 'All',
  running: 'Running',
  ended: 'Ended',
  filter: 'Filter by goal or id',
  noTasks: 'No tasks yet',
  noTasksHow: 'Submit one, and it appears here at once:',
  noMatch: 'No task matches.',
  noApprovals: 'Nothing waits for you.',
  loading: 'Loading…',
  notFound: 'There is no such task',
  needsYou: 'Needs you',
  approve: 'Approve',
  deny: 'Deny',
  answer: 'Answer',
  wantsToRun: 'wants to run',
  asks: 'asks',
  arguments: 'Arguments, exactly as they will be used',
  pause: 'Pause',
  resume: 'Resume',
  correct: 'Correct…',
  cancel: 'Cancel',
  cancelTask: 'Cancel…',
  send: 'Send',
  back: 'Back',
  correctTitle: 'Correct',
  correctHint: 'An instruction that the agent reads before its next round.',
  memory: 'Set in working memory (JSON, optional)',
  cancelTitle: 'Cancel',
  cancelHint: 'It and everything below it stop. This cannot be undone.',
  denyTitle: 'Deny',
  reason: 'Reason (the agent reads it)',
  instruction: 'Instruction',
  yourAnswer: 'Your answer',
  badJson: 'Expected a JSON object, for example {"language": "en"}',
  statechart: 'Statechart',
  anyState: 'any state',
  heardAnywhere: 'Heard in every state',
  timeline: 'Timeline',
  events: 'Events',
  journal: 'Journal',
  snapshot: 'Snapshot',
  budget: 'Budget',
  wholeTask: 'Whole task',
  thisAgent: 'This agent',
  left: 'left',
  of: 'of',
  report: 'Report',
  unverified: 'Unverified: its own journal does not support this',
  host: 'host',
  takeovers: 'taken over',
  alert: 'alert',
  repairs: 'repairs',
  round: 'round',
  sent: 'Sent',
  noSnapshot: 'No snapshot is stored yet.',
  noRecords: 'No records yet.',
  earlier: 'earlier records are left out',
  entry: 'start',
  runs: 'runs',
  transitions: 'transitions',
};

/** @type {typeof english} */
const chinese = {
  tasks: '任务',
  approvals: '审批',
  machines: '状态图',
  live: '实时',
  reconnecting: '正在重连…',
  readOnly: '只读',
  readOnlyWhy: '打开时没有令牌：请打开启动时打印的完整地址，才能审批和操作。',
  theme: '配色',
  language: 'English',
  state: '状态',
  goal: '目标',
  agents: '智能体',
  rounds: '轮次',
  tokens: 'Token 数',
  cost: '费用',
  toolCalls: '工具调用',
  children: '子任务',
  started: '开始于',
  time: '用时',
  all: '全部',
  running: '进行中',
  ended: '已结束',
  filter: '按目标或编号筛选',
  noTasks: '还没有任务',
  noTasksHow: '提交一个任务，它会立即出现在这里：',
  noMatch: '没有符合的任务。',
  noApprovals: '没有需要您处理的事项。',
  loading: '加载中…',
  notFound: '没有这个任务',
  needsYou: '需要您处理',
  approve: '批准',
  deny: '拒绝',
  answer: '回答',
  wantsToRun: '想要运行',
  asks: '提问',
  arguments: '将原样使用的参数',
  pause: '暂停',
  resume: '继续',
  correct: '纠正…',
  cancel: '取消',
  cancelTask: '取消…',
  send: '发送',
  back: '返回',
  correctTitle: '纠正',
  correctHint: '智能体在下一轮之前会读到这条指示。',
  memory: '写入工作记忆（JSON，可选）',
  cancelTitle: '取消',
  cancelHint: '它和它下面的一切都会停止，无法撤销。',
  denyTitle: '拒绝',
  reason: '理由（智能体会读到）',
  instruction: '指示',
  yourAnswer: '您的回答',
  badJson: '需要一个 JSON 对象，例如 {"language": "zh"}',
  statechart: '状态图',
  anyState: '任意状态',
  heardAnywhere: '任何状态下都会接收',
  timeline: '时间线',
  events: '事件',
  journal: '日志',
  snapshot: '快照',
  budget: '预算',
  wholeTask: '整个任务',
  thisAgent: '当前智能体',
  left: '剩余',
  of: '/',
  report: '报告',
  unverified: '未经证实：其自身日志不支持以下说法',
  host: '主机',
  takeovers: '次接管',
  alert: '提醒',
  repairs: '次修复',
  round: '轮次',
  sent: '已发送',
  noSnapshot: '尚未保存快照。',
  noRecords: '还没有记录。',
  earlier: '条更早的记录未显示',
  entry: '开始',
  runs: '运行',
  transitions: '条转移',
};

const stateNames = {
  queued: '排队',
  perceive: '感知',
  decide: '决策',
  act: '行动',
  observe: '观察',
  reflect: '反思',
  parked: '等待',
  terminate: '收尾',
  done: '完成',
  partial: '部分完成',
  failed: '失败',
  exhausted: '预算用尽',
  cancelled: '已取消',
  unknown: '未知',
};

/** @returns {'en' | 'zh'} */
export function language() {
  const kept = localStorage.getItem('hact.language');
  if (kept === 'en' || kept === 'zh') return kept;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export function switchLanguage() {
  localStorage.setItem('hact.language', language() === 'en' ? 'zh' : 'en');
}

/** @param {keyof typeof english} word */
export const t = (word) => (language() === 'zh' ? chinese[word] : english[word]);

/** Name of a state or status. @param {string} name */
export const stateName = (name) =>
  language() === 'zh' && Object.hasOwn(stateNames, name)
    ? stateNames[/** @type {keyof typeof stateNames} */ (name)]
    : name;

/** 31,200 → 31.2k. @param {number} value */
export function short(value) {
  if (value >= 999_500) return `${(value / 1_000_000).toFixed(value >= 9_950_000 ? 0 : 1)}M`;
  if (value >= 1_000) return `${(value / 1_000).toFixed(value >= 99_500 ? 0 : 1)}k`;
  return String(value);
}

/** @param {number} value */
export const dollars = (value) => `$${value === 0 ? '0.00' : value.toFixed(value < 0.1 ? 4 : 2)}`;

/** A span of time. @param {number} ms */
export function span(ms) {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  if (seconds < 60) return `${Math.round(seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${Math.round(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d`;
}

const two = (/** @type {number} */ value) => String(value).padStart(2, '0');

/** Time of day, with the date when it is not today's. @param {number} at */
export function clock(at) {
  const date = new Date(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  if (date.toDateString() === new Date().toDateString()) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

/** The feed calls outcomes of effects `done.decide` where the chart says `xstate.done.actor.decide`. @param {string} event */
export const plainEvent = (event) => event.replace(/^xstate\.(done|error)\.actor\./, '$1.');

/** `done.decide` → `decide ✓`: an event as it stands on an edge. @param {string} event */
export function eventWord(event) {
  const [, outcome, effect] = /^(done|error)\.(.+)$/.exec(plainEvent(event)) ?? [];
  if (effect !== undefined) return `${effect} ${outcome === 'done' ? '✓' : '✗'}`;
  if (event.startsWith('xstate.done.state.')) return 'done';
  if (event === 'xstate.init') return t('entry');
  return event;
}

/** Role and number: `executor 2`. @param {{ role?: string | undefined, agentId: string }} agent */
export const nameOf = ({ role, agentId }) => `${role ?? '?'} ${/(?:-\d+)+$/.exec(agentId)?.[0].slice(1) ?? ''}`.trim();

/** `hasReadyCalls` → `has ready calls`. @param {string} name */
export const inWords = (name) => name.replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
