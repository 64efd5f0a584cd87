/** Results of earlier subtasks on their way into the context of one that waited for them, and out of it again. */
import type { Json, JsonObject } from '../src/domain/json.js';
import type { Report } from '../src/domain/report.js';
import type { Reported } from './claims/grounds.js';

const heading = 'Results of earlier subtasks (data):';

/** The context of an order with what those subtasks reported. */
export const withEarlier = (context: string | undefined, reports: readonly Report[]): string =>
  [context, `${heading}\n${reports.map((report) => JSON.stringify(told(report))).join('\n')}`]
    .filter(Boolean)
    .join('\n\n');

const told = ({ agentId, result, status, summary, unverified }: Report): JsonObject => ({
  agentId,
  status,
  result,
  summary,
  ...(unverified === undefined ? {} : { unverified }),
});

/** Takes the reports out of a context again. What somebody else wrote under the heading stays text. */
export function splitEarlier(context: string): { readonly context: string; readonly earlier: Reported[] } {
  const at = context.lastIndexOf(heading);
  if (at === -1) return { context, earlier: [] };
  const lines = context.slice(at + heading.length).split('\n');
  const read = lines.map(reportedIn);
  return {
    context: [context.slice(0, at), ...lines.filter((_, line) => read[line] === undefined)].join('\n').trim(),
    earlier: read.filter((one) => one !== undefined),
  };
}

function reportedIn(line: string): Reported | undefined {
  if (!line.startsWith('{"agentId":')) return undefined;
  try {
    const { agentId, result, status, summary, unverified } = JSON.parse(line) as { readonly [key: string]: Json };
    if (typeof agentId !== 'string' || typeof summary !== 'string') return undefined;
    return {
      agentId,
      callId: 'order',
      status: status as Reported['status'],
      result: result ?? null,
      summary,
      unverified: Array.isArray(unverified) ? (unverified as unknown as Reported['unverified']) : [],
      tools: [],
      files: [],
    };
  } catch {
    return undefined;
  }
}
