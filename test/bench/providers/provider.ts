/** A provider that counts for itself: when requests came, what they took, and whether it was alive. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Counted {
  /** ms since 1970, with fractions. */
  readonly at: number;
  readonly tokens: number;
}

export interface Provider {
  readonly url: string;
  readonly counted: readonly Counted[];
  /** When its replies left. */
  readonly replied: readonly number[];
  isAlive: boolean;
  stop(): Promise<void>;
}

export const wallMs = (): number => performance.timeOrigin + performance.now();

/** Its tokenizer finds more than ours. */
const charsPerToken = 3;
const [shortestMs, longestMs] = [20, 120];

export async function startProvider(random: () => number): Promise<Provider> {
  const counted: Counted[] = [];
  const replied: number[] = [];
  const server = createServer((request, response) => {
    const at = wallMs();
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    request.on('end', async () => {
      const [prompt, completion] = [Math.ceil(length / charsPerToken), 5 + Math.floor(random() * 60)];
      counted.push({ at, tokens: prompt + completion });
      if (!provider.isAlive) {
        response.writeHead(503, { 'content-type': 'application/json' });
        response.end('{"error":{"message":"dead"}}');
        return;
      }
      await pause(shortestMs + random() * (longestMs - shortestMs));
      replied.push(wallMs());
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          object: 'chat.completion',
          model: 'counting',
          choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: prompt, completion_tokens: completion },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    counted,
    replied,
    isAlive: true,
    stop: () => stop(server),
  };
  return provider;
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** The most of any sliding minute, by the provider's own clock and count. */
export function mostPerMinute(counted: readonly Counted[]): { requests: number; tokens: number } {
  let [from, tokens, mostRequests, mostTokens] = [0, 0, 0, 0];
  for (const [index, one] of counted.entries()) {
    tokens += one.tokens;
    for (; (counted[from]?.at ?? 0) <= one.at - 60_000; from += 1) tokens -= counted[from]?.tokens ?? 0;
    mostRequests = Math.max(mostRequests, index - from + 1);
    mostTokens = Math.max(mostTokens, tokens);
  }
  return { requests: mostRequests, tokens: mostTokens };
}
