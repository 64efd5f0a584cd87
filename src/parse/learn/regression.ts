/** Whether something that is to be learned would change what is read right today. */
import type { JsonObject } from '../../domain/json.js';
import { MARKERS, type MarkerTable } from '../markers.js';
import { type ParseTool, parseReply, type Reply } from '../reply.js';
import { isObject, properties } from '../schema.js';
import type { Rewrite } from '../spellings.js';
import { repairText } from './apply.js';
import type { Rule } from './rule.js';
import { saidIn } from './said.js';

/** A reply with the right answer. */
export interface RegressionRow {
  readonly id: string;
  readonly text: string;
  readonly finish: string;
  readonly tools: readonly ParseTool[];
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

const read = (row: RegressionRow, markers: MarkerTable): Reply =>
  parseReply({ text: row.text, finishReason: row.finish, tools: row.tools, markers });

const plain = (calls: readonly { name: string; arguments: JsonObject }[]): string =>
  JSON.stringify(calls.map(({ name, arguments: args }) => [name, args]));

/**
 * Ids of rows that come out differently with these rewrites: other calls, or other words for the reader. Only rows in
 * which one of them finds something can; only those are read.
 */
export function rewriteRegressions(
  rewrites: readonly Rewrite[],
  rows: readonly RegressionRow[],
  before: MarkerTable = MARKERS,
): string[] {
  const table: MarkerTable = { ...before, rewrites: [...rewrites, ...before.rewrites] };
  const heads = rewrites.map(({ from }) => from.split('$')[0] ?? from);
  return rows
    .filter((row) => heads.some((head) => row.text.includes(head)))
    .filter((row) => {
      const [was, is] = [read(row, before), read(row, table)];
      return plain(was.calls) !== plain(is.calls) || was.content !== is.content;
    })
    .map(({ id }) => id);
}

/**
 * Ids of rows in which the rule would see a call that is none. The rule's own tool is put beside those of the row, and
 * the row's words are searched for it. A rule about arguments cannot touch a call that fits; it must keep to its schema.
 */
export function ruleRegressions(rule: Rule, tool: ParseTool, rows: readonly RegressionRow[]): string[] {
  const { lesson } = rule;
  const known = properties(isObject(tool.parameters) ? tool.parameters : {});
  if (lesson.tool !== tool.name) return [rule.id];
  switch (lesson.on) {
    case 'keys':
      return Object.entries(lesson.rename).some(([from, to]) => Object.hasOwn(known, from) || !Object.hasOwn(known, to))
        ? [rule.id]
        : [];
    case 'value':
      return Object.hasOwn(known, lesson.parameter) ? [] : [rule.id];
    case 'period':
      return Object.keys(lesson.set).every((name) => Object.hasOwn(known, name)) ? [] : [rule.id];
    case 'text':
      if (!lesson.literals[0]?.includes(tool.name)) return [rule.id];
      return rows
        .filter((row) => row.text.includes(lesson.literals[0] ?? ''))
        .filter((row) => {
          const renamed = row.tools.filter(({ name }) => name !== tool.name);
          const said = saidIn({ text: row.text }, read({ ...row, tools: renamed }, MARKERS), MARKERS);
          return repairText([rule], [tool], said).length > 0;
        })
        .map(({ id }) => id);
  }
}
