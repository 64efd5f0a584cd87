/** The inbox on JetStream: one subject per agent in one stream, heard live as plain subscriptions by whoever hosts it. */

import { failure, ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { type Message, messageSchema } from '../domain/message.js';
import type { DeadLetters, Inbox, Stored } from './contract.js';
import type { Kept, Place, Store } from './store.js';
import { badToken, isToken, type Names } from './subject.js';
import { decodeAs, decodeText, encode } from './text.js';

const nothing = new Uint8Array(0);
/** Reads under way at once while listing. */
const listWidth = 64;

export function inboxOn(store: Store, names: Names, dead: DeadLetters): Inbox {
  const { wire } = store;
  const placeOf = (agentId: string): Place => ({ stream: names.streams.inbox, subject: names.inbox(agentId) });

  /** A message that cannot be read would be read again for ever: it becomes a dead letter. */
  const bury = async (agentId: AgentId, kept: Kept, reason: string): Promise<void> => {
    const detail = { stream: names.streams.inbox, seq: kept.seq, text: decodeText(kept.data.subarray(0, 2000)) };
    const buried = await dead.put({ agentId, reason: failure('invalid_request', reason), detail });
    if (buried.ok) await store.remove(names.streams.inbox, kept.seq);
  };

  return {
    put: async (agentId, message) => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      return store.write(placeOf(agentId), encode(message));
    },
    read: async (agentId, after): Promise<Result<Stored<Message>[]>> => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      const messages: Stored<Message>[] = [];
      for await (const kept of store.after(placeOf(agentId), after)) {
        if (!kept.ok) return kept;
        const { seq, data } = kept.value;
        const value = decodeAs(messageSchema, data, `message ${seq} of ${names.inbox(agentId)}`);
        if (value.ok) messages.push({ seq, value: value.value });
        else await bury(agentId, kept.value, value.failure.message);
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
      return store.purge(placeOf(agentId));
    },
    agents: () => agentsOf(store, names),
  };
}

async function agentsOf(store: Store, names: Names): Promise<Result<Map<AgentId, number>>> {
  const stream = names.streams.inbox;
  const found = await store.subjects({ stream, subject: names.inbox('>') });
  if (!found.ok) return found;
  const subjects = [...found.value.keys()];
  const start = names.inbox('').length;
  const agents = new Map<AgentId, number>();
  for (let index = 0; index < subjects.length; index += listWidth) {
    const group = subjects.slice(index, index + listWidth);
    const lasts = await Promise.all(group.map((subject) => store.last({ stream, subject })));
    for (const [position, last] of lasts.entries()) {
      if (!last.ok) return last;
      const id = group[position]?.slice(start) ?? '';
      if (last.value !== undefined && isToken(id)) agents.set(id as AgentId, last.value.seq);
    }
  }
  return ok(agents);
}
