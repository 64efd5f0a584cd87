/** One feed event as one plain line, for pipes, logs and `hact dev`. */
import type { FeedEvent } from '../domain/event.js';
import type { Report } from '../domain/report.js';
import { costLine } from '../observe/cost.js';
import { clip, oneLine, pad, type Style } from './style.js';
import { nameOf, requestLine } from './tree-view.js';

const detailColumns = 160;

/** Undefined for events that say nothing to a person. */
export function eventLine(event: FeedEvent, style: Style, command: string): string | undefined {
  const words = wordsOf(event, command);
  if (words === undefined) return undefined;
  const [what, detail] = words;
  const time = new Date(event.at).toISOString().slice(11, 19);
  const line = `${style.dim(time)} ${pad(nameOf(event, event.taskId), 14)} ${pad(what, 10)} ${clip(oneLine(detail), detailColumns)}`;
  return line.trimEnd();
}

function wordsOf(event: FeedEvent, command: string): [string, string] | undefined {
  switch (event.kind) {
    case 'started':
      return ['started', event.goal];
    case 'moved': {
      // The end has an event of its own.
      const plain = event.detail === '' && event.cause !== 'human.paused' && event.cause !== 'human.resumed';
      return plain || event.state === 'done' ? undefined : [event.state, event.detail || event.cause];
    }
    case 'asked':
      return ['asks', requestLine(event.request, command)];
    case 'alerted':
      return ['alert', event.text];
    case 'taken_over':
      return ['taken over', `by ${event.host} from ${event.from}, which died`];
    case 'ended':
      return [
        event.report.status,
        [
          event.report.termination.replaceAll('_', ' '),
          ...unverifiedNote(event.report),
          costLine(event.report.usage),
        ].join(' · '),
      ];
  }
}

const unverifiedNote = ({ unverified = [] }: Report): string[] =>
  unverified.length === 0 ? [] : [`unverified: ${unverified.map(({ about }) => about).join(', ')}`];
