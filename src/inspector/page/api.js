/** Talking to the server: reads, actions with the token, and the stream of events with its own resumption. */

const tokenKey = 'hact.token';

/** Takes the token out of the address, where it would stay visible, into this tab's own storage. */
export function keepToken() {
  const match = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (!match?.[1]) return;
  sessionStorage.setItem(tokenKey, decodeURIComponent(match[1]));
  history.replaceState(null, '', location.pathname + location.search);
}

export const hasToken = () => sessionStorage.getItem(tokenKey) !== null;

/** @returns {Record<string, string>} */
const authorization = () => {
  const token = sessionStorage.getItem(tokenKey);
  return token === null ? {} : { authorization: `Bearer ${token}` };
};

/** What the server said was wrong. */
export class Refused extends Error {
  /** @param {{ kind?: string, message?: string, hint?: string }} error */
  constructor(error) {
    super(error.message ?? 'the inspector refused');
    this.kind = error.kind ?? 'unknown';
    this.hint = error.hint ?? '';
  }
}

/** @param {string} path @returns {Promise<any>} */
export const read = (path) => call(path, { headers: authorization() });

/** @param {string} path @param {object} [body] @returns {Promise<any>} */
export const act = (path, body = {}) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization() },
    body: JSON.stringify(body),
  });

/** @param {string} path @param {RequestInit} init */
async function call(path, init) {
  const response = await fetch(`/api/${path}`, { ...init, credentials: 'omit', cache: 'no-store' });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(body.error ?? {});
  return body;
}

const firstPauseMs = 300;
const longestPauseMs = 10_000;

/**
 * Follows the events of one task, or of all, from a feed sequence on, through every loss of the connection.
 * @param {{ task?: string, after: () => number, onTold: (told: any) => void, onState: (live: boolean) => void }} options
 * @returns {() => void} stops
 */
export function follow({ task, after, onTold, onState }) {
  const ending = new AbortController();
  const run = async () => {
    let pauseMs = firstPauseMs;
    while (!ending.signal.aborted) {
      const query = new URLSearchParams({ after: String(after()), ...(task === undefined ? {} : { task }) });
      try {
        const response = await fetch(`/api/events?${query}`, {
          headers: authorization(),
          signal: ending.signal,
          cache: 'no-store',
        });
        if (!response.ok || response.body === null) throw new Error(String(response.status));
        onState(true);
        pauseMs = firstPauseMs;
        for await (const { event, data } of frames(response.body)) if (event === 'feed') onTold(JSON.parse(data));
      } catch {
        // Gone for now: the loop asks again from where it was.
      }
      if (ending.signal.aborted) return;
      onState(false);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };
  void run();
  return () => ending.abort();
}

/** @param {ReadableStream<Uint8Array>} body */
async function* frames(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const fields = new Map(
        part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      yield { event: fields.get('event') ?? '', data: fields.get('data') ?? '' };
    }
  }
}
