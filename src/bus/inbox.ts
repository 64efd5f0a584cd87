/** The inbox on JetStream: one subject per agent in one stream, heard live as plain subscriptions by whoever hosts it. */

import { failure, ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { type Message, messageSchema } from '../domain/message.js';
import { clearing } from './clear.js';
import type { DeadLetters, Inbox, Stored } from './contract.js';
import type { Kept, Reader } from './reader.js';
import { lastOfEach } from './scan.js';
import type { Place, Store } from './store.js';
import { badToken, isToken, type Names } from './subject.js';
import { decodeAs, decodeText, encode } from './text.js';

const nothing = new Uint8Array(0);

export function inboxOn(
  store: Store,
  reader: Reader,
  names: Names,
  dead: DeadLetters,
  { mayPurge }: { mayPurge: boolean },
): Inbox {
  const { wire } = store;
  const placeOf = (agentId: string): Place => ({ stream: names.streams.inbox, subject: names.inbox(agentId) });

  /** A message that cannot be read would be read again for ever: it becomes a dead letter. */
  const bury = async (agentId: AgentId, kept: Kept, reason: string): Promise<void> => {
    const detail = { stream: names.streams.inbox, seq: kept.seq, text: decodeText(kept.data.subarray(0, 2000)) };
    const buried = await dead.put({ agentId, reason: failure('invalid_request', reason), detail });
    if (buried.ok) await store.remove(names.streams.inbox, kept.seq);
  };

  const clear = clearing(store, reader, names.streams.inbox, mayPurge);
  return {
    put: async (agentId, message) => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      return store.write(placeOf(agentId), encode(message));
    },
    read: async (agentId, after): Promise<Result<Stored<Message>[]>> => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      const kept = await reader.after(placeOf(agentId), after);
      if (!kept.ok) return kept;
      const messages: Stored<Message>[] = [];
      for (const one of kept.value) {
        const value = decodeAs(messageSchema, one.data, `message ${one.seq} of ${one.subject}`);
        if (value.ok) messages.push({ seq: one.seq, value: value.value });
        else await bury(agentId, one, value.failure.message);
      }
      return ok(messages);
    },
    onArrival: (agentId, callback) => {
      if (!isToken(agentId)) return () => undefined;
      const heard = [names.inbox(agentId), names.control(agentId)].map((subject) => wire.listen(subject, callback));
      return () => {
        for (const subscription of heard) subscription?.unsubscribe();
      };
    },
    nudge: (agentId) => {
      if (isToken(agentId)) wire.tell(names.control(agentId), nothing);
    },
    clear: async (agentId) => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      return clear(placeOf(agentId));
    },
    agents: () => agentsOf(store, names),
  };
}

async function agentsOf(store: Store, names: Names): Promise<Result<Map<AgentId, number>>> {
  const lasts = await lastOfEach(store, { stream: names.streams.inbox, subject: names.inbox('*') });
  if (!lasts.ok) return lasts;
  const start = names.inbox('').length;
  const agents = new Map<AgentId, number>();
  for (const [subject, seq] of lasts.value) {
    const id = subject.slice(start);
    if (isToken(id)) agents.set(id as AgentId, seq);
  }
  return ok(agents);
}
