/** The feed over a link: published without waiting, read piece by piece from where the reader stands. */
import type { Feed, Stored } from '../../../src/bus/contract.js';
import { isToken } from '../../../src/bus/subject.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import { ok } from '../../../src/domain/failure.js';
import type { TaskId } from '../../../src/domain/id.js';
import type { Link } from './link.js';
import type { SimServer } from './server.js';

const batch = 256;
const lookAgainMs = 500;
const news = 'evt';

export function feedOver(link: Link, server: SimServer): Feed {
  return {
    publish: (event) => {
      if (!isToken(event.taskId) || !isToken(event.agentId)) return;
      link.tell(() => {
        server.feed.push({ seq: server.feed.length + 1, taskId: event.taskId, event });
        server.notify(news);
      });
    },
    read: (taskId, after, signal) => read(link, server, taskId, after, signal),
    last: (taskId) => link.call('feed last', () => ok(entries(server, taskId, 0).at(-1)?.seq ?? 0)),
  };
}

const entries = (server: SimServer, taskId: string | undefined, after: number) =>
  server.feed.filter((entry) => entry.seq > after && (taskId === undefined || entry.taskId === taskId));

async function* read(
  link: Link,
  server: SimServer,
  taskId: TaskId | undefined,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Stored<FeedEvent>> {
  let last = after;
  let wakeUp = (): void => undefined;
  const unlisten = server.listen(news, () => link.push(() => wakeUp()));
  signal.addEventListener('abort', () => wakeUp(), { once: true });
  while (!signal.aborted) {
    const changed = new Promise<void>((resolve) => {
      wakeUp = resolve;
    });
    const found = await link.call('feed', () => ok(entries(server, taskId, last).slice(0, batch)));
    for (const { seq, event } of found.ok ? found.value : []) {
      if (signal.aborted) break;
      last = seq;
      yield { seq, value: structuredClone(event) };
    }
    if (found.ok && found.value.length > 0) continue;
    if (!signal.aborted) await Promise.race([changed, link.process.clock.sleep(lookAgainMs)]);
  }
  unlisten();
}
