/** One process of `npm run fleet`: workers with a connection and gates of their own, which call and call. */
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { sharedGates } from '../../src/app/providers.js';
import { openBus } from '../../src/bus/connect.js';
import { loadSettings } from '../../src/config/load.js';
import type { Settings } from '../../src/config/settings.js';
import type { Result } from '../../src/domain/failure.js';
import { createModel } from '../../src/llm/create.js';
import { providerFrom } from '../../src/llm/preset.js';
import type { ProviderOptions } from '../../src/llm/provider.js';
import type { Logger } from '../../src/observe/log.js';
import { wallMs } from './providers/provider.js';

export interface Assignment {
  readonly nats: { readonly url: string; readonly token: string };
  /** Names of the workers. */
  readonly workers: readonly string[];
  /** Addresses in the order of the chain. */
  readonly providers: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Calls of one worker that are under way at the same time. */
  readonly lanes: number;
  readonly thinkMs: number;
}

/** What a process tells of it. Times are ms since 1970, with fractions. */
export type Told =
  | { readonly kind: 'ready' }
  | { readonly kind: 'turn'; readonly worker: string; readonly at: number; readonly message: string }
  | {
      readonly kind: 'called';
      readonly worker: string;
      readonly from: number;
      readonly to: number;
      readonly by: string;
    };

const tell = (told: Told): void => void process.send?.(told);

process.once('message', (assignment: Assignment) => void work(assignment));

async function work(assignment: Assignment): Promise<void> {
  const stop = new AbortController();
  // All calls of the process end together; an agent's call has a signal of its own.
  setMaxListeners(0, stop.signal);
  process.on('message', () => stop.abort());
  const settings = await settingsFrom(assignment.env);
  const members = await Promise.all(assignment.workers.map((worker) => join(worker, assignment, settings)));
  tell({ kind: 'ready' });
  await Promise.all(members.map((member) => member.callOn(stop.signal)));
  await Promise.all(members.map((member) => member.leave()));
  process.disconnect();
}

async function settingsFrom(env: Assignment['env']): Promise<Settings> {
  const files = { readText: async () => undefined, importDefault: async () => undefined };
  return must(await loadSettings({ env, cwd: '/', home: '/', files })).settings;
}

async function join(worker: string, { nats, providers, lanes, thinkMs }: Assignment, settings: Settings) {
  const bus = must(await openBus({ servers: nats.url, token: nats.token, name: worker }));
  const say = (message: string): void => tell({ kind: 'turn', worker, at: wallMs(), message });
  const log = { warn: say, info: say } as unknown as Logger; // the gates write nothing else
  const gates = sharedGates(settings, bus, worker, log);
  const chain = providers.map((baseUrl) => must(providerFrom({ model: 'counting', baseUrl, stream: false }, {})));
  const model = await createModel({ providers: chain as [ProviderOptions, ...ProviderOptions[]], gates });
  const request = {
    messages: [{ role: 'user' as const, content: `Is it so? ${'Think of all that was said before. '.repeat(20)}` }],
    tools: [],
    maxOutputTokens: 100,
    temperature: 0,
  };
  const lane = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await pause(thinkMs * (0.5 + Math.random()));
      const from = wallMs();
      const outcome = await model.call(request, { signal });
      const by = outcome.ok ? outcome.provider : outcome.failure.kind;
      tell({ kind: 'called', worker, from, to: wallMs(), by });
    }
  };
  return {
    callOn: (signal: AbortSignal) => Promise.all(Array.from({ length: lanes }, () => lane(signal))),
    leave: async () => {
      await model.close();
      await gates.close();
      await bus.close();
    },
  };
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.message} (${result.failure.hint ?? ''})`);
  return result.value;
}
