/** The tools for tables: what is in them, and computing over them. */
import { z } from 'zod';
import { defineTool, type Tool } from '../../tool.js';
import { toolFailure } from '../../tool-failure.js';
import { aggregateTable } from './aggregate.js';
import { operators } from './filter.js';
import { metricOps } from './metric.js';
import { profileTable } from './profile.js';

const path = z.string().describe('the file, relative to the first open folder, or absolute');
const limit = { chars: 8000, lines: 400 };
/** A large file takes a while: a gigabyte about half a minute. */
const timeoutMs = 300_000;

export const profileTableTool: Tool = defineTool({
  name: 'profile_table',
  description:
    'Reads a whole table of any size (CSV, TSV, JSON lines, web server log) and says how many rows it has and, for each ' +
    'column, type, missing and distinct values, min, max, mean, sum and the most frequent values.',
  parameters: z.object({
    path,
    columns: z.array(z.string()).min(1).max(200).optional().describe('only these columns'),
  }),
  effect: 'read',
  paths: ['path'],
  timeoutMs,
  result: limit,
  rest: 'name fewer columns',
  run: (args, context) => profileTable(args, context),
});

export const aggregateTableTool: Tool = defineTool({
  name: 'aggregate_table',
  description:
    'Computes over the rows of a table of any size (CSV, TSV, JSON lines, web server log): filters, groups, and gives ' +
    'count, sum, mean, min, max, p50, p95 or distinct of columns for each group. Take column names from profile_table.',
  parameters: z.object({
    path,
    group_by: z
      .array(z.string())
      .max(4)
      .default([])
      .describe('columns, or year(column), month(column), day(column), hour(column), weekday(column) of a date column'),
    metrics: z
      .array(
        z.strictObject({
          op: z.enum(metricOps),
          column: z.string().optional().describe('not needed for count: then it counts rows'),
        }),
      )
      .min(1)
      .max(12),
    where: z
      .array(
        z.strictObject({
          column: z.string(),
          op: z.enum(operators),
          value: z.union([z.string(), z.number(), z.boolean(), z.null()]).describe('null: missing'),
        }),
      )
      .max(12)
      .default([])
      .describe('rows must meet all of these'),
    order_by: z.string().optional().describe('a metric such as "sum(amount)", or a group; default: the first metric'),
    descending: z.boolean().optional().describe('default: true for metrics, false for groups'),
    limit: z.int().min(1).max(500).default(50).describe('groups to show at most'),
    offset: z.int().min(0).default(0).describe('groups to skip'),
  }),
  examples: [
    {
      path: 'sales.csv',
      group_by: ['region'],
      metrics: [{ op: 'sum', column: 'amount' }, { op: 'count' }],
      where: [{ column: 'year', op: '>=', value: 2025 }],
    },
  ],
  effect: 'read',
  paths: ['path'],
  timeoutMs,
  result: limit,
  rest: 'use limit and offset, or group by less',
  run: (args, context) => {
    const { path: file, group_by: groupBy, order_by: orderBy, metrics, ...rest } = args;
    const needing = metrics.find(({ op, column }) => op !== 'count' && column === undefined);
    if (needing !== undefined) throw missingColumn(needing.op);
    return aggregateTable({ path: file, groupBy, orderBy, metrics, ...rest }, context);
  },
});

const missingColumn = (op: string) =>
  toolFailure({
    kind: 'invalid_arguments',
    message: `the metric ${op} needs a column`,
    hint: `{"op": "${op}", "column": "…"}`,
  });

export const tableTools: readonly Tool[] = [profileTableTool, aggregateTableTool];
