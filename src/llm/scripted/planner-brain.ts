/** The rules of a planner: have the file profiled, hand out questions, try again what failed, write the report. */
import { type Fields, isFields } from '../../domain/fields.js';
import type { Asked } from './brain.js';
import { dataFileIn, reportFileIn } from './file-name.js';
import { type Call, finishing, type Intent, say } from './intent.js';
import { type Profile, readProfile } from './profile.js';
import { type Question, questionsFor } from './questions.js';
import { type Finding, reportText } from './report-text.js';
import type { Seen, SeenResult } from './transcript.js';
import { type Words, wordsFor } from './words.js';

/** Attempts at one subtask, the first included. */
const mostAttempts = 3;

/** How the subtask with this name went so far. */
interface Attempts {
  readonly count: number;
  /** The result of the one that is done. */
  readonly result: Fields | undefined;
  readonly reason: string;
}

/** `tooSmall`: the question whose first budget does not suffice, so that a budget is seen running out. */
export function plannerIntent(
  seen: Seen,
  asked: Pick<Asked, 'tools' | 'maxOutputTokens' | 'countText'>,
  tooSmall: number,
): Intent {
  const words = wordsFor(seen.isChinese);
  const path = dataFileIn(seen);
  if (path === undefined) return say(words.noFile);
  const profiling = attemptsAt('profile', seen.results);
  const profile = readProfile(profiling.result);
  if (profile === undefined) {
    if (profiling.count < mostAttempts && !seen.isLastCall) return profileIt(path, seen, profiling.count + 1, words);
    const summary = words.profileFailed(profiling.reason);
    return finishing(asked.tools, { kind: 'end' }, { result: null, summary, status: 'failed' });
  }
  const questions = questionsFor(path, profile);
  const states = questions.map((question) => ({ question, state: attemptsAt(question.id, seen.results) }));
  const open = states.filter(({ state }) => state.result === undefined && state.count < mostAttempts);
  if (open.length > 0 && !seen.isLastCall) {
    const isFirst = states.every(({ state }) => state.count === 0);
    const calls = open.map(({ question, state }) => {
      const n = questions.indexOf(question) + 1;
      return delegation(
        question,
        n,
        state.count + 1,
        isFirst && n === tooSmall ? 1 : roundsFor(seen, open.length),
        words,
      );
    });
    const thought = isFirst
      ? words.questionsThought(profile.rows, profile.columnCount)
      : words.retryThought(open.map(({ question }) => question.id).join(', '));
    return { thought, text: '', calls, scene: { kind: isFirst ? 'questions' : 'retry' } };
  }
  const findings = states.map(({ question, state }) => ({ question, result: state.result, reason: state.reason }));
  return conclude(seen, asked, { path, profile, findings, words });
}

function profileIt(path: string, seen: Seen, attempt: number, words: Words): Intent {
  const call = delegate(attempt === 1 ? 'profile' : `profile ${attempt}`, {
    goal: words.profileGoal(path, JSON.stringify({ path })),
    tools: ['profile_table'],
    budget: { rounds: roundsFor(seen, 1) },
    result_schema: {
      type: 'object',
      properties: { rows: { type: 'number' }, columns: { type: 'array' } },
      required: ['rows', 'columns'],
    },
  });
  return { thought: words.planThought, text: '', calls: [call], scene: { kind: 'plan' } };
}

function delegation(question: Question, n: number, attempt: number, rounds: number, words: Words): Call {
  return delegate(attempt === 1 ? question.id : `${question.id} ${attempt}`, {
    goal: words.questionGoal(JSON.stringify(question.aggregation), n, attempt),
    tools: ['aggregate_table'],
    budget: { rounds },
    result_schema: { type: 'object', properties: { groups: { type: 'array' } }, required: ['groups'] },
  });
}

const delegate = (name: string, rest: Fields): Call => ({ name: 'delegate_task', arguments: { name, ...rest } });

/** Enough for mishaps, as far as the planner's own rounds allow: it keeps four for itself. */
const roundsFor = ({ roundsLeft = 20 }: Seen, sharers: number): number =>
  Math.max(2, Math.min(5, Math.floor((roundsLeft - 4) / sharers)));

/** The subtask `name`, and `name 2`, `name 3`. */
function attemptsAt(name: string, results: readonly SeenResult[]): Attempts {
  const reports = results.filter(
    (result) => result.name === 'delegate_task' && String(result.arguments.name ?? '').split(' ')[0] === name,
  );
  const done = reports.findLast(({ value }) => isFields(value) && value.status === 'done' && isFields(value.result));
  const last = reports.at(-1)?.value;
  return {
    count: reports.length,
    result: isFields(done?.value) && isFields(done.value.result) ? done.value.result : undefined,
    reason: reasonIn(last),
  };
}

function reasonIn(report: unknown): string {
  if (!isFields(report)) return '';
  const error = isFields(report.error) ? report.error.message : undefined;
  const said = error ?? report.summary ?? report.status;
  return (
    String(said ?? '')
      .split('\n')[0]
      ?.slice(0, 300) ?? ''
  );
}

interface Gathered {
  readonly path: string;
  readonly profile: Profile;
  readonly findings: readonly Finding[];
  readonly words: Words;
}

/** Room for the rest of a reply around the report. */
const wrapTokens = 200;

/** Writes the file if one is wanted and not yet tried, then finishes. */
function conclude(
  seen: Seen,
  { tools, maxOutputTokens, countText }: Pick<Asked, 'tools' | 'maxOutputTokens' | 'countText'>,
  gathered: Gathered,
): Intent {
  const { path, profile, findings, words } = gathered;
  const fits = (text: string) => countText(JSON.stringify(text)) + wrapTokens <= maxOutputTokens;
  const report = reportText({ ...gathered, fits });
  const target = tools.includes('write_file') ? reportFileIn(seen) : undefined;
  const written = seen.results.findLast(({ name }) => name === 'write_file')?.value;
  if (target !== undefined && written === undefined && !seen.isLastCall) {
    const call: Call = { name: 'write_file', arguments: { path: target, content: report } };
    return { thought: words.writeThought, text: '', calls: [call], scene: { kind: 'write' } };
  }
  const isWritten = isFields(written) && written.status === 'ok';
  const answered = findings.filter(({ result }) => result !== undefined).length;
  const summary = words.summary(path, profile.rows, answered, isWritten ? target : undefined);
  const failure = target !== undefined && !isWritten ? ` ${words.notWritten(reasonIn(written))}` : '';
  const partial = answered < findings.length || failure !== '';
  return finishing(
    tools,
    { kind: 'end' },
    { result: report, summary: summary + failure, ...(partial && { status: 'partial' as const }) },
  );
}
