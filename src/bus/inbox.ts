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
/** So much of an unreadable message is kept. */
const mostKeptBytes = 65_536;

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
    const { seq, data } = kept;
    const detail = { seq, bytes: data.length, text: decodeText(data.subarray(0, mostKeptBytes)) };
    const buried = await dead.put({ agentId, reason: failure('invalid_request', reason), detail });
    if (buried.ok) await store.remove(names.streams.inbox, kept.seq);
  };

  /**
   * A 2.9 server that deletes a subject's last message forgets the others until the next one comes (measured on 2.9.10). So
   * the last one that can be read is stored again first; receivers know it by its id.
   */
  const keepLast = async (agentId: AgentId): Promise<Result<unknown>> => {
    const kept = await reader.after(placeOf(agentId), 0);
    if (!kept.ok) return kept;
    const readable = kept.value.map(({ data }) => decodeAs(messageSchema, data, ''));
    const last = readable.findLast((one) => one.ok);
    return last?.ok && readable.at(-1)?.ok === false
      ? store.write(placeOf(agentId), encode(last.value))
      : ok(undefined);
  };

  const clear = clearing(store, reader, names.streams.inbox, mayPurge);
  return {
    put: async (agentId, message) => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      return store.write(placeOf(agentId), encode(message));
    },
    read: async (agentId, after, likely): Promise<Result<Stored<Message>[]>> => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      const kept = await reader.afterCursor(placeOf(agentId), after, likely);
      if (!kept.ok) return kept;
      const messages: Stored<Message>[] = [];
      const unreadable: [kept: Kept, reason: string][] = [];
      for (const one of kept.value) {
        const value = decodeAs(messageSchema, one.data, `message ${one.seq} of ${one.subject}`);
        if (value.ok) messages.push({ seq: one.seq, value: value.value });
        else if (value.failure.kind === 'unsupported_version')
          return value; // a newer worker's, and a newer one reads it
        else unreadable.push([one, value.failure.message]);
      }
      if (unreadable.length > 0 && (await keepLast(agentId)).ok)
        for (const [one, reason] of unreadable) await bury(agentId, one, reason);
      return ok(messages);
    },
    onArrival: (agentId, callback) => {
      if (!isToken(agentId)) return () => undefined;
      const heard = [
        wire.listen(names.inbox(agentId), () => callback()),
        wire.listen(names.control(agentId), ({ data }) => callback(seqIn(data))),
      ];
      // What came while the connection was away was heard by nobody.
      const unlisten = wire.onStatus(({ connected }) => {
        if (connected) callback();
      });
      return () => {
        unlisten();
        for (const subscription of heard) subscription?.unsubscribe();
      };
    },
    nudge: (agentId, seq) => {
      if (isToken(agentId)) wire.tell(names.control(agentId), seq === undefined ? nothing : Buffer.from(String(seq)));
    },
    clear: async (agentId) => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      return clear(placeOf(agentId));
    },
    agents: () => agentsOf(store, names),
  };
}

function seqIn(data: Uint8Array): number | undefined {
  const seq = data.length === 0 ? 0 : Number(decodeText(data));
  return Number.isSafeInteger(seq) && seq > 0 ? seq : undefined;
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
