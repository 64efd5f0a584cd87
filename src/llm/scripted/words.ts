/** The sentences of the rule-based model, in English and Chinese. Every number in them comes from a tool. */
import type { Aggregation } from './questions.js';

export interface Words {
  readonly profileGoal: (path: string, args: string) => string;
  readonly questionGoal: (args: string, n: number, attempt: number) => string;
  readonly argumentsLabel: string;
  readonly planThought: string;
  readonly questionsThought: (rows: number, columns: number) => string;
  readonly retryThought: (names: string) => string;
  readonly writeThought: string;
  readonly callThought: (tool: string) => string;
  readonly lastThought: string;
  readonly profiled: (rows: number, columns: number) => string;
  readonly aggregated: (groups: number, rows: number) => string;
  readonly toolFailed: (message: string) => string;
  readonly noFile: string;
  readonly noTools: string;
  readonly profileFailed: (reason: string) => string;
  readonly summary: (path: string, rows: number, answered: number, written: string | undefined) => string;
  readonly notWritten: (reason: string) => string;
  readonly title: (path: string) => string;
  readonly overview: (rows: number, rejected: number, columns: number) => string;
  readonly columnHeads: readonly string[];
  readonly moreColumns: (count: number) => string;
  readonly questionTitle: (aggregation: Aggregation) => string;
  readonly first: (group: string, metric: string, value: string) => string;
  readonly rowsUsed: (used: number, skipped: number) => string;
  readonly moreGroups: (shown: number, total: string) => string;
  readonly computed: string;
  readonly open: (title: string, reason: string) => string;
  readonly openTitle: string;
}

const by = (aggregation: Aggregation) => aggregation.group_by.join(', ');
const measured = ({ metrics }: Aggregation) => metrics.find(({ column }) => column !== undefined)?.column;

const english: Words = {
  profileGoal: (path, args) =>
    `Profile the table ${path} with one call of profile_table, and report rows, rejected lines and columns as the tool gave them.\nArguments: ${args}`,
  questionGoal: (args, n, attempt) =>
    `Question ${n}${attempt > 1 ? `, attempt ${attempt}` : ''}: compute with one call of aggregate_table and report its groups unchanged.\nArguments: ${args}`,
  argumentsLabel: 'Arguments: ',
  planThought: 'First I need to know what is in the file. An executor can profile it.',
  questionsThought: (rows, columns) =>
    `${rows} rows and ${columns} columns. I hand out the questions, to be answered in parallel.`,
  retryThought: (names) => `Not answered yet: ${names}. Once more, with a larger budget.`,
  writeThought: 'All reports are in. Now the report, with the numbers exactly as they were computed.',
  callThought: (tool) => `The goal names everything; one call of ${tool} will do.`,
  lastThought: 'This is the last round, and nothing has been computed yet.',
  profiled: (rows, columns) => `${rows} rows, ${columns} columns`,
  aggregated: (groups, rows) => `${groups} groups out of ${rows} rows`,
  toolFailed: (message) => `The tool failed: ${message}`,
  noFile:
    'The scripted model only analyses tables, and the goal names no file. Add --file FILE, or set HACT_MODEL to a real model.',
  noTools: 'The scripted model needs profile_table or delegate_task for this, and neither is offered.',
  profileFailed: (reason) => `The file could not be profiled: ${reason}`,
  summary: (path, rows, answered, written) =>
    `${path}: ${rows} rows analysed, ${answered} questions answered${written === undefined ? '' : `, report in ${written}`}.`,
  notWritten: (reason) => `The report was not written: ${reason}`,
  title: (path) => `# Analysis of ${path}`,
  overview: (rows, rejected, columns) => `${rows} rows, ${columns} columns, ${rejected} rejected lines.`,
  columnHeads: ['column', 'type', 'missing', 'distinct', 'min', 'max', 'mean', 'sum'],
  moreColumns: (count) => `${count} more columns are not shown.`,
  questionTitle: (aggregation) =>
    aggregation.group_by.length === 0
      ? `${measured(aggregation) ?? 'Rows'} as a whole`
      : `${measured(aggregation) ?? 'Rows'} by ${by(aggregation)}`,
  first: (group, metric, value) => `First is ${group} with ${metric} ${value}.`,
  rowsUsed: (used, skipped) => `Rows used: ${used}; lines skipped: ${skipped}.`,
  moreGroups: (shown, total) => `Shown are ${shown} of ${total} groups.`,
  computed: 'Computed with',
  open: (title, reason) => `${title}: ${reason}`,
  openTitle: '## Not answered',
};

const chinese: Words = {
  profileGoal: (path, args) =>
    `用一次 profile_table 调用概览表格 ${path}，并原样报告行数、被拒绝的行和各列。\n参数：${args}`,
  questionGoal: (args, n, attempt) =>
    `问题 ${n}${attempt > 1 ? `，第 ${attempt} 次` : ''}：用一次 aggregate_table 调用计算，并原样报告各组。\n参数：${args}`,
  argumentsLabel: '参数：',
  planThought: '先要知道文件里有什么，交给一个执行者做概览。',
  questionsThought: (rows, columns) => `共 ${rows} 行、${columns} 列。把几个问题并行分派下去。`,
  retryThought: (names) => `还没有答案：${names}。给更多预算再来一次。`,
  writeThought: '报告都到齐了。现在写报告，数字与计算结果完全一致。',
  callThought: (tool) => `目标已写明一切，调用一次 ${tool} 即可。`,
  lastThought: '这是最后一轮，还什么都没有算出来。',
  profiled: (rows, columns) => `${rows} 行，${columns} 列`,
  aggregated: (groups, rows) => `${groups} 组，来自 ${rows} 行`,
  toolFailed: (message) => `工具失败：${message}`,
  noFile: '脚本模型只会分析表格，而目标里没有文件。请加上 --file 文件，或用 HACT_MODEL 设置真实模型。',
  noTools: '脚本模型需要 profile_table 或 delegate_task，但都没有提供。',
  profileFailed: (reason) => `无法概览该文件：${reason}`,
  summary: (path, rows, answered, written) =>
    `${path}：分析了 ${rows} 行，回答了 ${answered} 个问题${written === undefined ? '' : `，报告在 ${written}`}。`,
  notWritten: (reason) => `报告没有写入：${reason}`,
  title: (path) => `# ${path} 分析报告`,
  overview: (rows, rejected, columns) => `共 ${rows} 行、${columns} 列，被拒绝 ${rejected} 行。`,
  columnHeads: ['列', '类型', '缺失', '不同值', '最小', '最大', '平均', '合计'],
  moreColumns: (count) => `另有 ${count} 列未列出。`,
  questionTitle: (aggregation) =>
    aggregation.group_by.length === 0
      ? `${measured(aggregation) ?? '行数'}总体情况`
      : `按 ${by(aggregation)} 统计${measured(aggregation) ?? '行数'}`,
  first: (group, metric, value) => `排在第一的是 ${group}，${metric} 为 ${value}。`,
  rowsUsed: (used, skipped) => `使用 ${used} 行，跳过 ${skipped} 行。`,
  moreGroups: (shown, total) => `共 ${total} 组，列出 ${shown} 组。`,
  computed: '计算方式',
  open: (title, reason) => `${title}：${reason}`,
  openTitle: '## 未回答',
};

export const wordsFor = (isChinese: boolean): Words => (isChinese ? chinese : english);
