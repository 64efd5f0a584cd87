/** Dead letters: what could not be handled, with the reason, for people. */

import { ok, type Result } from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import type { DeadLetters, Stored } from './contract.js';
import type { Reader } from './reader.js';
import type { Store } from './store.js';
import { badToken, isToken, type Names } from './subject.js';
import { decodeJson, encode } from './text.js';

const pageSize = 1_000;

export function deadLettersOn(store: Store, reader: Reader, names: Names): DeadLetters {
  const stream = names.streams.dead;
  return {
    put: async (letter) => {
      const { agentId } = letter;
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      const stored = await store.write(
        { stream, subject: names.dead(agentId) },
        encode({ v: 1, at: Date.now(), ...letter }),
      );
      return stored.ok ? ok(undefined) : stored;
    },
    list: async (after = 0, most = pageSize): Promise<Result<Stored<Json>[]>> => {
      const kept = await reader.after({ stream, subject: names.dead('*') }, after, most);
      if (!kept.ok) return kept;
      return ok(kept.value.map(({ seq, data }) => ({ seq, value: decodeJson(data) ?? null })));
    },
  };
}
