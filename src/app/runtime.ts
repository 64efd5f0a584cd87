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
import { systemClock } from '../observe/clock.js';
import { type Log, openLog } from '../observe/log.js';

import { createRedactor, type Redactor } from '../safety/redact.js';

/** A wake that its host took to the grave before it had the lease comes back after this long; hosts extend it every 2 s. */
const wakeAgainMs = 5_000;

export interface ServerInfo {
  readonly url: string;
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
  /** Where NATS is, and whether this process started it. The token is for child processes only. */
  readonly server: ServerInfo;
  /** Closes the bus, stops the server if it was started here, and writes out the log. */
  close(): Promise<void>;
}

export async function openRuntime(
  settings: Settings,
  options: { readonly startServer: boolean },
): Promise<Result<Runtime>> {
  const { apiKey } = settings.model;
  const redactor = createRedactor({ secrets: [apiKey, settings.nats.token].filter((secret) => secret !== undefined) });
  const log = openLog({
    level: settings.log.level,
    destination: settings.log.file === undefined ? 'stderr' : { path: settings.log.file },
    redact: redactor.text,
  });
  const found = await locate(settings, options.startServer, (trouble) => log.logger.warn('nats-server', { trouble }));
  if (!found.ok) {
    await log.close();
    return found;
  }
  const { url, token, own } = found.value;
  const { creds, prefix } = settings.nats;
  const opened = await openBus({
    servers: url,
    token,
    credsFile: creds,
    prefix,
    name: `hact ${hostname()} ${process.pid}`,
    leaseMs: settings.worker.leaseMs,
    ackWaitMs: wakeAgainMs,
  });
  if (!opened.ok) {
    await own?.stop();
    await log.close();
    return opened;
  }
  const bus = opened.value;
  const control: Control = { bus, prefix, defaults: settings, clock: systemClock, ids: randomIds };
  return ok({
    settings,
    bus,
    client: createClient(control),
    control,
    log,
    redactor,
    server: { url, token, version: bus.status().version, started: own !== undefined, pid: own?.pid() },
    async close() {
      await bus.close();
      await own?.stop();
      await log.close();
    },
  });
}

interface Found {
  readonly url: string;
  readonly token: string | undefined;
  readonly own: KeptServer | undefined;
}

/** The server of the settings, else one that another process of this data folder runs, else one of our own. */
async function locate(
  { nats, dataDir }: Settings,
  mayStart: boolean,
  onTrouble: (trouble: Failure) => void,
): Promise<Result<Found>> {
  if (nats.url !== undefined) return ok({ url: nats.url, token: nats.token, own: undefined });
  const folder = join(dataDir, 'nats');
  const running = await findServer(folder);
  if (running !== undefined) return ok({ ...running, own: undefined });
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
  return started.ok ? ok({ url: started.value.url, token: started.value.token, own: started.value }) : started;
}
