/** The rules of an executor: run the one call that the goal spells out, then report what came of it. */
import { type Fields, isFields } from '../../domain/fields.js';
import type { Asked } from './brain.js';
import { dataFileIn } from './file-name.js';
import { finishing, type Intent, type Scene, say } from './intent.js';
import { readProfile, slimProfile } from './profile.js';
import { groupsOf } from './report-text.js';
import type { Seen } from './transcript.js';
import { type Words, wordsFor } from './words.js';

const tableTools = ['profile_table', 'aggregate_table'] as const;
type TableTool = (typeof tableTools)[number];

interface Job {
  readonly tool: TableTool;
  readonly arguments: Fields;
  readonly scene: (step: 'call' | 'finish') => Scene;
}

export function executorIntent(seen: Seen, { tools }: Pick<Asked, 'tools'>): Intent {
  const words = wordsFor(seen.isChinese);
  const job = jobIn(seen, words, tools);
  if (job === undefined) return say(dataFileIn(seen) === undefined ? words.noFile : words.noTools);
  const result = seen.results.findLast(({ name }) => name === job.tool);
  if (result !== undefined) return reporting(job, result.value, tools, words);
  const text = seen.isLastCall ? words.lastThought : '';
  return {
    thought: words.callThought(job.tool),
    text,
    calls: [{ name: job.tool, arguments: job.arguments }],
    scene: job.scene('call'),
  };
}

/** The call that the goal spells out, else a profile of the file that it names. */
function jobIn(seen: Seen, words: Words, tools: readonly string[]): Job | undefined {
  const spelled = argumentsIn(seen.goal, words);
  const tool = tableTools.find((name) => seen.goal.includes(name) && tools.includes(name));
  if (spelled !== undefined && tool !== undefined) {
    const [, n = '0'] = /^(?:Question|问题) (\d+)/.exec(seen.goal) ?? [];
    const [, attempt = '1'] = /(?:attempt|第) (\d+)/.exec(seen.goal) ?? [];
    const kind = tool === 'profile_table' ? 'profile' : 'question';
    return { tool, arguments: spelled, scene: (step) => ({ kind, n: Number(n), attempt: Number(attempt), step }) };
  }
  const path = dataFileIn(seen);
  if (path === undefined || !tools.includes('profile_table')) return undefined;
  return { tool: 'profile_table', arguments: { path }, scene: () => ({ kind: 'plain' }) };
}

function argumentsIn(goal: string, { argumentsLabel }: Words): Fields | undefined {
  const line = goal.split('\n').find((text) => text.startsWith(argumentsLabel));
  if (line === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(line.slice(argumentsLabel.length));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function reporting(job: Job, value: unknown, tools: readonly string[], words: Words): Intent {
  const data = isFields(value) ? value.data : undefined;
  const scene = job.scene('finish');
  if (!isFields(value) || value.status !== 'ok' || !isFields(data)) {
    const error = isFields(value) && isFields(value.error) ? value.error.message : value;
    const summary = words.toolFailed(String(typeof error === 'string' ? error : JSON.stringify(error)).slice(0, 500));
    return finishing(tools, scene, { result: null, summary, status: 'failed' });
  }
  if (job.tool === 'profile_table') {
    const summary = words.profiled(Number(data.rows), readProfile(data)?.columnCount ?? 0);
    return finishing(tools, scene, { result: slimProfile(data), summary });
  }
  const summary = words.aggregated(groupsOf(data).length, Number(data.rows_used));
  return finishing(tools, scene, { result: data, summary });
}
