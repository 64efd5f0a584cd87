/** Request and reply over links: to one of those who serve, by chance. */
import type { Requests } from '../../../src/bus/contract.js';
import { badToken, isKey, isToken } from '../../../src/bus/subject.js';
import { fail, ok, type Result } from '../../../src/domain/failure.js';
import type { Json } from '../../../src/domain/json.js';
import type { Link } from './link.js';
import { textOf } from './log-store.js';
import type { Service, SimServer } from './server.js';

const pingTimeoutMs = 1_000;

export function requestsOver(link: Link, server: SimServer): Requests {
  const { process } = link;
  return {
    serve: async (endpoints) => {
      for (const name of Object.keys(endpoints))
        if (!isKey(name)) return { ok: false, failure: badToken('a request name', name) };
      // The product waits until the server has heard of it.
      const known = await link.call('serve', () => ok(undefined));
      if (!known.ok) return known;
      const stops = Object.entries(endpoints).map(([name, handle]) => {
        const service = serviceOf(link, handle);
        const all = server.services.get(name) ?? new Set<Service>();
        server.services.set(name, all.add(service));
        const stop = (): void => void all.delete(service);
        process.onClosed(stop);
        return stop;
      });
      return ok(async () => {
        for (const stop of stops) stop();
      });
    },
    request: async (name, body, timeoutMs) => {
      if (!isKey(name)) return fail('invalid_request', `expected a request name like task.submit, got ${name}`);
      const text = textOf(body, `the request ${name}`);
      return text.ok ? request(link, server, name, text.value, timeoutMs) : text;
    },
    answerAs: (hostId) => {
      if (!isToken(hostId)) return () => undefined;
      const all = server.hosts.get(hostId) ?? new Set();
      return link.subscribe(() => {
        server.hosts.set(hostId, all.add(process));
        return () => all.delete(process);
      });
    },
    ping: (hostId) => ping(link, server, hostId),
  };
}

function serviceOf(link: Link, handle: (body: string) => Promise<Result<Json>>): Service {
  const { process } = link;
  return {
    process,
    handle: (body, reply) =>
      link.push(() => {
        void handle(body)
          .catch((error: unknown): Result<Json> => fail('internal', `the request failed: ${String(error)}`))
          .then((answer) => {
            const text = textOf(answer.ok ? answer.value : answer.failure, 'the answer');
            link.tell(() => reply(text.ok ? (JSON.parse(JSON.stringify(answer)) as Result<Json>) : text));
          });
      }),
  };
}

function request(link: Link, server: SimServer, name: string, text: string, timeoutMs: number): Promise<Result<Json>> {
  const { process } = link;
  return new Promise((resolve) => {
    const stop = process.clock.after(timeoutMs, () =>
      resolve(fail('bus_unreachable', `no answer to ${name} within ${timeoutMs} ms`)),
    );
    const settle = (answer: Result<Json>): void => {
      stop();
      resolve(answer);
    };
    link.tell(() => {
      const serving = [...(server.services.get(name) ?? [])].filter(({ process: of }) => of.socketOpen);
      if (serving.length === 0)
        return link.push(() => settle(fail('bus_unreachable', `nobody answers ${name}`, 'start a worker')), true);
      server.world.pick(serving).handle(text, (answer) => link.push(() => settle(answer)));
    });
  });
}

/** False at once when nobody answers; true when somebody does, and when it cannot be told. */
function ping(link: Link, server: SimServer, hostId: string): Promise<boolean> {
  const { process } = link;
  if (!isToken(hostId)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = process.clock.after(pingTimeoutMs, () => resolve(true));
    const settle = (alive: boolean): void => {
      stop();
      resolve(alive);
    };
    link.tell(() => {
      const answering = [...(server.hosts.get(hostId) ?? [])].filter((of) => of.socketOpen);
      if (answering.length === 0) return link.push(() => settle(false), true);
      const [one] = answering;
      // A frozen or cut-off process is silent, and the time-out decides.
      if (one?.state === 'running' && one.linked) link.push(() => settle(true));
    });
  });
}
