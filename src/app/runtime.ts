/** Opens what every command needs: the log, the bus (on a server of its own when it must), and the client. */

import { hostname } from 'node:os';
import { join } from 'node:path';
import { openBus } from '../bus/connect.js';
import type { Bus } from '../bus/contract.js';
import { findServer } from '../bus/server.js';
import { type KeptServer, keepServer } from '../bus/supervise.js';
import type { Settings } from '../config/settings.js';
import { type Client, createClient } from '../control/client.js';
import { type Control, randomIds } from '../control/control.js';
import { type Failure, fail, ok, type Result } from '../domain/failure.js';
import { redeliveryMs } from '../host/activation.js';
import { systemClock } from '../observe/clock.js';
import { type Log, openLog } from '../observe/log.js';
import { createRedactor, type Redactor, type RedactorOptions } from '../safety/redact.js';
import { schemaProblem } from '../tools/schema-result.js';
import { joinUsers, untilAlone } from './company.js';

export interface ServerInfo {
  readonly url: string;
  /** Without credentials, for people. */
  readonly shownUrl: string;
  readonly token: string | undefined;
  readonly version: string;
  /** This process started it, and ends it. */
  readonly started: boolean;
  /** Of the server that this process started; undefined when it was there already. */
  readonly pid: number | undefined;
}

export interface Runtime {
  readonly settings: Settings;
  readonly bus: Bus;
  readonly client: Client;
  readonly control: Control;
  readonly log: Log;
  readonly redactor: Redactor;
  /** What the redactor was made with. */
  readonly redaction: RedactorOptions;
  /** Where NATS is, and whether this process started it. The token is for child processes only. */
  readonly server: ServerInfo;
  /** Closes the bus, stops the server if it was started here, and writes out the log. */
  close(): Promise<void>;
}

export interface RuntimeOptions {
  readonly startServer: boolean;
  /** Bring streams that another version or other settings made to this configuration: what workers do, and clients leave alone. */
  readonly updateStreams?: boolean;
}

export async function openRuntime(settings: Settings, options: RuntimeOptions): Promise<Result<Runtime>> {
  const { audit, model, nats } = settings;
  const passwords = [...(nats.url ?? '').matchAll(/\/\/[^@/]*?([^:@/]+)@/g)].map(([, password]) => password);
  const secrets = [model.apiKey, nats.token, audit.key, ...passwords].filter((secret) => secret !== undefined);
  const redaction = { secrets };
  const redactor = createRedactor(redaction);
  const log = openLog({
    level: settings.log.level,
    destination: settings.log.file === undefined ? 'stderr' : { path: settings.log.file },
    redact: redactor.text,
  });
  const reached = await reach(settings, options, (trouble) => log.logger.warn('nats-server', { trouble }));
  if (!reached.ok) {
    await log.close();
    return reached;
  }
  const { bus, url, token, own, prefix, leave } = reached.value;
  const control: Control = { bus, prefix, defaults: settings, clock: systemClock, ids: randomIds, schemaProblem };
  return ok({
    settings,
    bus,
    client: createClient(control),
    control,
    log,
    redactor,
    redaction,
    server: {
      url,
      shownUrl: url.replaceAll(/\/\/[^@/]*@/g, '//'),
      token,
      version: bus.status().version,
      started: own !== undefined,
      get pid() {
        return own?.pid();
      },
    },
    async close() {
      await bus.close();
      await leave();
      await log.close();
    },
  });
}

interface Reached extends Found {
  readonly bus: Bus;
  readonly prefix: string;
  /** Stops the server if it was started here, as soon as nobody else uses it. */
  leave(): Promise<void>;
}

async function reach(
  settings: Settings,
  { startServer, updateStreams = false }: RuntimeOptions,
  onTrouble: (trouble: Failure) => void,
): Promise<Result<Reached>> {
  const { creds, prefix } = settings.nats;
  const folder = join(settings.dataDir, 'nats');
  const giveUpAt = systemClock.elapsed() + othersMs;
  for (;;) {
    const found = await locate(settings, startServer, onTrouble);
    if (!found.ok) return found;
    const { url, token, own, forget } = found.value;
    const opened = await openBus({
      servers: url,
      token,
      credsFile: creds,
      prefix,
      name: `hact ${hostname()} ${process.pid}`,
      leaseMs: settings.worker.leaseMs,
      ackWaitMs: redeliveryMs(settings.worker.leaseMs),
      streams: updateStreams ? 'update' : 'create',
    });
    const leave = async (): Promise<void> => {
      await forget?.();
      if (own === undefined) return;
      await untilAlone(folder, aloneMs);
      await own.stop();
    };
    if (opened.ok) return ok({ ...found.value, bus: opened.value, prefix, leave });
    await leave();
    // The server of another process may have been taken down just now.
    if (forget === undefined || systemClock.elapsed() > giveUpAt) return opened;
    await systemClock.sleep(lookAgainMs);
  }
}

/** How long to wait for another process that is starting or stopping the server of the data folder. */
const othersMs = 10_000;
const lookAgainMs = 100;
/** How long others may go on using a server that this process is about to stop. */
const aloneMs = 2_000;

interface Found {
  readonly url: string;
  readonly token: string | undefined;
  readonly own: KeptServer | undefined;
  /** Takes back the note that this process uses another one's server. */
  readonly forget: (() => Promise<void>) | undefined;
}

/** The server that another process runs on the folder. The note comes first, so that it is seen before the server goes. */
async function share(folder: string): Promise<Found | undefined> {
  if ((await findServer(folder)) === undefined) return undefined;
  const forget = await joinUsers(folder);
  const running = await findServer(folder);
  if (running !== undefined) return { ...running, own: undefined, forget };
  await forget();
  return undefined;
}

/** The server of the settings, else one that another process of this data folder runs, else one of our own. */
async function locate(
  { nats, dataDir }: Settings,
  mayStart: boolean,
  onTrouble: (trouble: Failure) => void,
): Promise<Result<Found>> {
  if (nats.url !== undefined) return ok({ url: nats.url, token: nats.token, own: undefined, forget: undefined });
  const folder = join(dataDir, 'nats');
  const giveUpAt = systemClock.elapsed() + othersMs;
  for (;;) {
    const shared = await share(folder);
    if (shared !== undefined) return ok(shared);
    if (!mayStart) {
      return fail(
        'bus_unreachable',
        `no NATS server is known and none runs on ${folder}`,
        'set NATS_URL, or start one with `hact dev`',
      );
    }
    const started = await keepServer({
      onTrouble,
      folder,
      env: { ...process.env, ...(nats.server ? { HACT_NATS_SERVER: nats.server } : {}) },
    });
    if (started.ok)
      return ok({ url: started.value.url, token: started.value.token, own: started.value, forget: undefined });
    // Another process is just starting one there, or stopping it.
    if (started.failure.kind !== 'conflict' || systemClock.elapsed() > giveUpAt) return started;
    await systemClock.sleep(lookAgainMs);
  }
}
