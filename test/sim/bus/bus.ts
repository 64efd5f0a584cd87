/** The bus of one simulated process: every port of the contract over its link to the simulated server. */

import { createHash } from 'node:crypto';
import type { Blobs, Bus, DeadLetters, Inbox, Journal } from '../../../src/bus/contract.js';
import { badToken, isToken } from '../../../src/bus/subject.js';
import { fail, ok, type Result } from '../../../src/domain/failure.js';
import type { JournalRecord } from '../../../src/domain/journal.js';
import type { Json } from '../../../src/domain/json.js';
import type { Message } from '../../../src/domain/message.js';
import type { SimProcess } from '../kernel/process.js';
import { bucketsOver } from './buckets.js';
import { feedOver } from './feed.js';
import { Link } from './link.js';
import { textOf } from './log-store.js';
import { timersOver, wakesOver } from './queues.js';
import { requestsOver } from './requests.js';
import type { SimServer } from './server.js';

export function connect(process: SimProcess, server: SimServer): { readonly bus: Bus; readonly link: Link } {
  const link = new Link(process, server.options);
  server.links.add(link);
  process.onClosed(() => server.links.delete(link));
  const bus: Bus = {
    journal: journalOver(link, server),
    inbox: inboxOver(link, server),
    wakes: wakesOver(link, server),
    buckets: bucketsOver(link, server),
    timers: timersOver(link, server),
    feed: feedOver(link, server),
    blobs: blobsOver(link, server),
    dead: deadOver(link, server),
    requests: requestsOver(link, server),
    status: () => link.status,
    onStatus: (callback) => link.onStatus(callback),
    close: async () => process.kill(),
  };
  return { bus, link };
}

const badAgent = (agentId: string): { ok: false; failure: ReturnType<typeof badToken> } => ({
  ok: false,
  failure: badToken('an agent id', agentId),
});

function journalOver(link: Link, server: SimServer): Journal {
  return {
    append: async (agentId, record, after) => {
      if (!isToken(agentId)) return badAgent(agentId);
      const text = textOf(record, `log.${agentId}`);
      if (!text.ok) return text;
      return link.call('append', () => {
        const outcome = server.store(() => server.journal.append(agentId, text.value, after));
        server.options.onAppend?.({ process: link.process, agentId, record, after, outcome });
        return outcome;
      });
    },
    read: async (agentId, after) => {
      if (!isToken(agentId)) return badAgent(agentId);
      return link.call('journal read', () => ok(server.journal.read<JournalRecord>(agentId, after)));
    },
  };
}

function inboxOver(link: Link, server: SimServer): Inbox {
  const arrival = (agentId: string): string => `in.${agentId}`;
  return {
    put: async (agentId, message) => {
      if (!isToken(agentId)) return badAgent(agentId);
      const text = textOf(message, `in.${agentId}`);
      if (!text.ok) return text;
      const store = (): Result<number> => {
        const stored = server.store(() => server.inbox.append(agentId, text.value));
        if (stored.ok) server.notify(arrival(agentId));
        return stored;
      };
      return link.call('inbox put', store, true);
    },
    read: async (agentId, after) => {
      if (!isToken(agentId)) return badAgent(agentId);
      return link.call('inbox read', () => ok(server.inbox.read<Message>(agentId, after)));
    },
    onArrival: (agentId, callback) => {
      let stopped = false;
      const tell = (seq?: number): void => {
        if (!stopped) callback(seq);
      };
      const unlisten = link.subscribe(() => server.listen(arrival(agentId), (seq) => link.push(() => tell(seq))));
      return () => {
        stopped = true;
        unlisten();
      };
    },
    nudge: (agentId, seq) => link.tell(() => server.notify(arrival(agentId), seq)),
    clear: async (agentId) => {
      if (!isToken(agentId)) return badAgent(agentId);
      return link.call('inbox clear', () => ok(server.inbox.clear(agentId)));
    },
    agents: () => link.call('inbox agents', () => ok(server.inbox.subjects() as Map<never, number>)),
  };
}

function blobsOver(link: Link, server: SimServer): Blobs {
  return {
    put: async (bytes) => {
      const name = createHash('sha256').update(bytes).digest('hex');
      return link.call('blob put', () =>
        server.store((): Result<string> => {
          server.blobs.set(name, bytes);
          return ok(name);
        }),
      );
    },
    get: async (name) =>
      /^[0-9a-f]{64}$/.test(name)
        ? link.call('blob get', () => ok(server.blobs.get(name)))
        : fail('invalid_request', `expected the SHA-256 of a blob, got ${JSON.stringify(name)}`),
  };
}

function deadLetterText(letter: object, at: number): Result<string> {
  return textOf({ v: 1, at, ...letter }, 'dead letter');
}

function deadOver(link: Link, server: SimServer): DeadLetters {
  return {
    put: async (letter) => {
      if (!isToken(letter.agentId)) return badAgent(letter.agentId);
      const text = deadLetterText(letter, link.process.clock.now());
      if (!text.ok) return text;
      return link.call('dead letter', () =>
        server.store((): Result<void> => {
          server.dead.append('dead', text.value);
          server.options.onDeadLetter?.(text.value);
          return ok(undefined);
        }),
      );
    },
    list: (after = 0, most = 1_000) =>
      link.call('dead letters', () => ok(server.dead.read<Json>('dead', after).slice(0, most))),
  };
}
