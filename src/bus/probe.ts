/** Asking a server whether its JetStream is at work, over a connection of its own, so that nothing else can be in the way. */
import { connect } from 'nats';

/**
 * False when there is no connection or no answer within `patienceMs` each, or what answers has no JetStream. A 2.9 server
 * that had no room for what it had to write may run on, take connections and answer nothing about streams, even when there
 * is room later.
 */
export async function streamsAnswer(url: string, token: string, patienceMs: number): Promise<boolean> {
  const servers = { servers: url, token, reconnect: false, timeout: patienceMs, name: 'hact keeper' };
  const connection = await connect(servers).catch(() => undefined);
  if (connection === undefined) return false;
  try {
    const answer = await connection.request('$JS.API.INFO', undefined, { timeout: patienceMs });
    return answer.json<{ error?: unknown }>().error === undefined;
  } catch {
    return false;
  } finally {
    void connection.close().catch(() => undefined);
  }
}
