/** What a run came through, read from its feed and its report. */
import type { FeedEvent } from '../../domain/event.js';
import type { Report } from '../../domain/report.js';

export interface Survivals {
  see(event: FeedEvent): void;
  lines(report: Report): string[];
}

export function collectSurvivals(): Survivals {
  const repairs = new Map<string, number>();
  const counts = { unreadable: 0, takenOver: 0, starved: 0, approvals: 0 };
  const hosts = new Set<string>();
  return {
    see(event) {
      hosts.add(event.host);
      if (event.kind === 'asked') counts.approvals += 1;
      if (event.kind === 'ended' && event.report.status === 'exhausted') counts.starved += 1;
      if (event.kind !== 'moved') return;
      if (event.cause === 'host.recovered') counts.takenOver += 1;
      if (event.detail.includes('reply not used')) counts.unreadable += 1;
      for (const repair of /\[repaired: ([^\]]*)\]/.exec(event.detail)?.[1]?.split(', ') ?? []) {
        repairs.set(repair, (repairs.get(repair) ?? 0) + 1);
      }
    },
    lines(report) {
      const repaired = [...repairs].map(([what, times]) => `${times} × ${what}`);
      return [
        `${hosts.size} processes worked on it`,
        ...one(counts.takenOver, 'agent taken over in mid-work from a process that was killed'),
        ...(repaired.length === 0 ? [] : [`replies repaired: ${repaired.join(', ')}`]),
        ...one(counts.unreadable, 'reply that could not be used, asked for again'),
        ...one(counts.starved, 'subtask that ran out of its budget and was planned anew'),
        ...one(counts.approvals, 'call that waited for a human'),
        ...(report.repairs > 0 ? [`${report.repairs} repairs in the books of the whole tree`] : []),
      ];
    },
  };
}

const one = (times: number, what: string): string[] => (times === 0 ? [] : [`${times} × ${what}`]);
