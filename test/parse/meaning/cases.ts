/** Calls that fit their schema, and the goal they serve: which contradict it, and what should become of them. */
import type { JsonObject } from '../../../src/domain/json.js';
import type { ParseTool } from '../../../src/parse/reply.js';

/** 2026-11-30 is a Monday. */
export const today = '2026-11-30';

const iso = { type: 'string', format: 'date' };
const made = (name: string, properties: JsonObject, effect: ParseTool['effect'] = 'read'): ParseTool => ({
  name,
  description: name,
  parameters: { type: 'object', properties, required: [] },
  effect,
});

export const tools = {
  sales: made('sales', { region: { type: 'string' }, start_date: iso, end_date: iso }),
  period: made('sales_for', { date_range: { type: 'string', description: 'Range of dates, YYYY-MM-DD/YYYY-MM-DD' } }),
  dots: made('sales_in', { period: { type: 'string', description: '日期区间，例如 2024-01-01..2024-01-31' } }),
  daily: made('rate_on', { date: { type: 'string', description: 'Day, YYYY-MM-DD' } }),
  stamped: made('events', {
    since: { type: 'string', format: 'date-time' },
    until: { type: 'string', format: 'date-time' },
  }),
  nested: made('report', { filter: { type: 'object', properties: { from: iso, to: iso } } }),
  quarterly: made('results', { quarter: { type: 'string', description: 'Like 2024-Q1' } }),
  monthly: made('bill', { month: { type: 'string', description: 'YYYY-MM' } }),
  yearly: made('budget', { year: { type: 'integer' } }),
  chinese: made('查询订单', { 开始日期: iso, 结束日期: iso }),
  price: made('price', { item: { type: 'string' }, currency: { type: 'string', enum: ['USD', 'EUR', 'CNY'] } }),
  warm: made('weather', { city: { type: 'string' }, units: { type: 'string', enum: ['celsius', 'fahrenheit'] } }),
  loose: made('find', {
    when: { type: 'string', description: 'Any date, natural language like "last month" is fine' },
    query: { type: 'string' },
  }),
  drop: made('delete_orders', { start_date: iso, end_date: iso }, 'unsafe'),
} as const;

export interface MeaningCase {
  readonly goal: string;
  readonly tool: keyof typeof tools;
  readonly given: JsonObject;
  /** What is applied on top of `given`. */
  readonly set: JsonObject;
}

const change = (goal: string, tool: keyof typeof tools, given: JsonObject, set: JsonObject): MeaningCase => ({
  goal,
  tool,
  given,
  set,
});
const keep = (goal: string, tool: keyof typeof tools, given: JsonObject): MeaningCase => ({
  goal,
  tool,
  given,
  set: {},
});

export const meaningCases: readonly MeaningCase[] = [
  // the first day of a period
  change('Total sales for Q3 2025', 'sales', { start_date: '2025-07-01' }, { end_date: '2025-09-30' }),
  change(
    'Total sales for Q3 2025',
    'sales',
    { start_date: '2025-07-01', end_date: '2025-07-01' },
    { end_date: '2025-09-30' },
  ),
  change('2025年第三季度的销售额是多少？', 'sales', { start_date: '2025-07-01' }, { end_date: '2025-09-30' }),
  change(
    '统计2025年一季度销量',
    'sales',
    { start_date: '2025-01-01', end_date: '2025-01-01' },
    { end_date: '2025-03-31' },
  ),
  change('Revenue in the first half of 2024', 'sales', { start_date: '2024-01-01' }, { end_date: '2024-06-30' }),
  change('2024年下半年的收入', 'sales', { start_date: '2024-07-01' }, { end_date: '2024-12-31' }),
  change('Sales of February 2024 by region', 'sales', { start_date: '2024-02-01' }, { end_date: '2024-02-29' }),
  change('2024年2月的销售', 'sales', { start_date: '2024-02-01' }, { end_date: '2024-02-29' }),
  change(
    'How much did we sell in fiscal 2024?',
    'sales',
    { start_date: '2024-01-01', end_date: '2024-01-01' },
    { end_date: '2024-12-31' },
  ),
  change(
    'Sales for the third quarter of 2025',
    'period',
    { date_range: '2025-07-01' },
    { date_range: '2025-07-01/2025-09-30' },
  ),
  change('第二季度（2025年）销售', 'dots', { period: '2025-04-01' }, { period: '2025-04-01..2025-06-30' }),
  change('2025年4月到底卖了多少', 'dots', { period: '2025-04-01' }, { period: '2025-04-01..2025-04-30' }),
  change('Q3 results, please', 'sales', { start_date: '2024-07-01' }, { end_date: '2024-09-30' }),
  change('Events of Q1 2025', 'stamped', { since: '2025-01-01T00:00:00Z' }, { until: '2025-03-31T23:59:59Z' }),
  change(
    'Report on Q4 2024',
    'nested',
    { filter: { from: '2024-10-01', to: '2024-10-01' } },
    { filter: { from: '2024-10-01', to: '2024-12-31' } },
  ),
  change(
    '2024年第四季度报告',
    'nested',
    { filter: { from: '2024-10-01', to: '2024-10-01' } },
    { filter: { from: '2024-10-01', to: '2024-12-31' } },
  ),
  change('Results of Q2 2024', 'quarterly', { quarter: '2024-04-01' }, { quarter: '2024-Q2' }),
  change('上季度的订单', 'chinese', { 开始日期: '2026-07-01' }, { 结束日期: '2026-09-30' }),
  change(
    'Compare Q3 2025 with Q3 2024',
    'sales',
    { start_date: '2024-07-01', end_date: '2024-07-01' },
    { end_date: '2024-09-30' },
  ),
  // relative words in the arguments
  change(
    'Show the sales',
    'sales',
    { start_date: 'last month', end_date: 'last month' },
    { start_date: '2026-10-01', end_date: '2026-10-31' },
  ),
  change(
    '看看销售',
    'sales',
    { start_date: '上个月', end_date: '上个月' },
    { start_date: '2026-10-01', end_date: '2026-10-31' },
  ),
  change('Exchange rate', 'daily', { date: 'yesterday' }, { date: '2026-11-29' }),
  change('汇率', 'daily', { date: '昨天' }, { date: '2026-11-29' }),
  change('汇率', 'daily', { date: '前天' }, { date: '2026-11-28' }),
  change('Rate three days back', 'daily', { date: '3 days ago' }, { date: '2026-11-27' }),
  change('Sales', 'period', { date_range: 'last quarter' }, { date_range: '2026-07-01/2026-09-30' }),
  change('销售', 'dots', { period: '去年' }, { period: '2025-01-01..2025-12-31' }),
  change('My bill', 'monthly', { month: 'last month' }, { month: '2026-10' }),
  change('账单', 'monthly', { month: '上个月' }, { month: '2026-10' }),
  change(
    'Sales',
    'sales',
    { start_date: 'Q3 2025', end_date: 'Q3 2025' },
    { start_date: '2025-07-01', end_date: '2025-09-30' },
  ),
  // relative words in the goal, a guessed date in the arguments
  change('What was the rate yesterday?', 'daily', { date: '2024-05-20' }, { date: '2026-11-29' }),
  change('昨天的汇率是多少', 'daily', { date: '2023-10-11' }, { date: '2026-11-29' }),
  change(
    'Sales of last month',
    'sales',
    { start_date: '2024-04-01', end_date: '2024-04-30' },
    { start_date: '2026-10-01', end_date: '2026-10-31' },
  ),
  change(
    '上个月的销售额',
    'sales',
    { start_date: '2024-04-01', end_date: '2024-04-30' },
    { start_date: '2026-10-01', end_date: '2026-10-31' },
  ),
  change(
    '上个月的销售额',
    'sales',
    { start_date: '2025-10-01', end_date: '2025-10-31' },
    { start_date: '2026-10-01', end_date: '2026-10-31' },
  ),
  // another year
  change(
    'Sales for March 2025',
    'sales',
    { start_date: '2024-03-01', end_date: '2024-03-31' },
    { start_date: '2025-03-01', end_date: '2025-03-31' },
  ),
  change(
    '2025年3月的销售',
    'sales',
    { start_date: '2023-03-01', end_date: '2023-03-31' },
    { start_date: '2025-03-01', end_date: '2025-03-31' },
  ),
  change('The rate on 5 March 2025', 'daily', { date: '2024-03-05' }, { date: '2025-03-05' }),
  change('2025年3月5日的汇率', 'daily', { date: '2023-03-05' }, { date: '2025-03-05' }),
  change('Budget for 2025', 'yearly', { year: 2023 }, { year: 2025 }),
  change('去年的预算', 'yearly', { year: 2023 }, { year: 2025 }),
  change('Results of Q2 2025', 'quarterly', { quarter: '2024-Q2' }, { quarter: '2025-Q2' }),
  // currency and unit
  change('What does it cost in euros?', 'price', { item: 'chair', currency: 'USD' }, { currency: 'EUR' }),
  change('这把椅子多少人民币？', 'price', { item: 'chair', currency: 'USD' }, { currency: 'CNY' }),
  change('Weather in Oslo in °C', 'warm', { city: 'Oslo', units: 'fahrenheit' }, { units: 'celsius' }),
  change('北京天气，用摄氏度', 'warm', { city: '北京', units: 'fahrenheit' }, { units: 'celsius' }),
  // nothing is wrong
  keep('Total sales for Q3 2025', 'sales', { start_date: '2025-07-01', end_date: '2025-09-30' }),
  keep('Total sales for Q3 2025', 'sales', { start_date: '2025-07-01', end_date: '2025-10-01' }),
  keep('Sales of Q3 2025, month by month', 'sales', { start_date: '2025-08-01', end_date: '2025-08-31' }),
  keep('Sales since Q3 2025', 'sales', { start_date: '2025-07-01' }),
  keep('2025年7月以来的销售', 'sales', { start_date: '2025-07-01' }),
  keep('从2025年7月到2025年9月的销售', 'sales', { start_date: '2025-07-01', end_date: '2025-09-30' }),
  keep('Sales from March 2025 to May 2025', 'sales', { start_date: '2025-03-01', end_date: '2025-05-31' }),
  keep('Compare Q3 2025 with the year before', 'sales', { start_date: '2024-07-01', end_date: '2024-09-30' }),
  keep('2025年三季度同比增长多少', 'sales', { start_date: '2024-07-01', end_date: '2024-09-30' }),
  keep('Sales on 1 July 2025 and in Q3 2025', 'sales', { start_date: '2025-07-01', end_date: '2025-07-01' }),
  keep('The rate yesterday', 'daily', { date: '2026-11-30' }),
  keep('昨天的汇率', 'daily', { date: '2026-11-28' }),
  keep('Rates of 2024', 'daily', { date: '2024-05-20' }),
  keep('Find what was said', 'loose', { when: 'last month', query: 'last month' }),
  keep('Convert 100 USD to EUR', 'price', { item: 'x', currency: 'USD' }),
  keep('Order 2025 chairs', 'yearly', { year: 2026 }),
  keep('Weather in Oslo', 'warm', { city: 'Oslo', units: 'fahrenheit' }),
  keep('How are sales?', 'sales', { start_date: '2020-01-01', end_date: '2020-12-31' }),
  keep('Sales of May', 'sales', { start_date: '2025-05-01', end_date: '2025-05-31' }),
  keep('You may ask for the rate', 'daily', { date: '2024-01-05' }),
  // a tool that changes something is never changed
  keep('Delete the orders of Q3 2025', 'drop', { start_date: '2025-07-01' }),
  keep('删除上个月的订单', 'drop', { start_date: '2024-04-01', end_date: '2024-04-30' }),
  keep('删除上个月的订单', 'drop', { start_date: '上个月', end_date: '上个月' }),
];
