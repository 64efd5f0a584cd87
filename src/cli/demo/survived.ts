/** What a run came through, read from its feed and its journals. */
import type { Decision } from '../../domain/decision.js';
import type { FeedEvent } from '../../domain/event.js';
import type { JournalRecord } from '../../domain/journal.js';
import { count } from '../../observe/cost.js';

/** Counted live: what the journals do not tell, or not as directly. */
export interface Witness {
  see(event: FeedEvent): void;
  readonly hosts: number;
  readonly asked: number;
  readonly starved: number;
}

export function createWitness(): Witness {
  const hosts = new Set<string>();
  let asked = 0;
  let starved = 0;
  return {
    see(event) {
      hosts.add(event.host);
      if (event.kind === 'asked') asked += 1;
      if (event.kind === 'ended' && event.report.status === 'exhausted') starved += 1;
    },
    get hosts() {
      return hosts.size;
    },
    get asked() {
      return asked;
    },
    get starved() {
      return starved;
    },
  };
}

/** What the scripted model says of itself. */
export interface ModelStats {
  readonly requests: number;
  readonly completed: number;
  readonly faults: number;
  /** Replies given a second time for the same request. */
  readonly repeated: number;
}

/** One line for each kind of trouble that was there. */
export function survivals(
  witness: Witness,
  records: readonly JournalRecord[],
  stats: ModelStats | undefined,
): string[] {
  const decisions = records.flatMap(decisionsIn);
  const sentAgain = decisions.reduce((total, { attempts }) => total + Math.max(0, attempts - 1), 0);
  const broken = decisions.filter(({ kind }) => kind === 'failed').length;
  const unusable = decisions.filter(({ kind }) => kind === 'unreadable').length;
  const repeats = decisions
    .flatMap((one) => (one.kind === 'failed' ? [] : one.rejected))
    .filter(({ reason }) => reason === 'repeated');
  const recoveries = records.flatMap(eventsIn).filter(({ type }) => type === 'host.recovered').length;
  return [
    ...line(recoveries, 'agent', 'taken over in mid-work from the process that was killed'),
    ...repairLines(decisions),
    ...line(unusable, 'reply', 'cut off inside a call: not run, asked for again', 'replies'),
    ...line(sentAgain, 'request', 'turned away with 429 and sent again'),
    ...line(broken, 'reply', 'broke off in mid-stream: asked for again', 'replies'),
    ...line(repeats.length, 'call', 'given twice in one reply: run once'),
    ...line(witness.starved, 'subtask', 'ran out of its budget: reported what it had, planned anew'),
    ...line(witness.asked, 'call', 'waited for a human'),
    `${count(witness.hosts, 'process', 'processes')} worked on it`,
    ...(stats === undefined ? [] : [statsLine(stats)]),
  ];
}

const statsLine = ({ requests, completed, faults, repeated }: ModelStats): string =>
  `the model counted ${count(requests, 'request')}, ${completed} answered, ${faults} failed on purpose, ${repeated} answered twice`;

function repairLines(decisions: readonly Decision[]): string[] {
  const repairs = new Map<string, number>();
  for (const decision of decisions) {
    if (decision.kind === 'failed') continue;
    for (const repair of decision.repairs) repairs.set(repair, (repairs.get(repair) ?? 0) + 1);
  }
  if (repairs.size === 0) return [];
  const total = [...repairs.values()].reduce((sum, times) => sum + times, 0);
  const kinds = [...repairs].map(([repair, times]) => (times === 1 ? repair : `${times} × ${repair}`));
  return [`${count(total, 'repair')} to what the model wrote: ${kinds.join('; ')}`];
}

const line = (times: number, one: string, what: string, many = `${one}s`): string[] =>
  times === 0 ? [] : [`${count(times, one, many)} ${what}`];

const eventsIn = (record: JournalRecord) => (record.kind === 'step' ? record.events : []);

const decisionsIn = (record: JournalRecord): Decision[] =>
  eventsIn(record).flatMap((event) =>
    // Outcomes were validated when they were recorded.
    event.type === 'xstate.done.actor.decide' || event.type === 'xstate.done.actor.grace'
      ? [event.output as unknown as Decision]
      : [],
  );
