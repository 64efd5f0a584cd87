/** The inspector: a small web server on loopback with a page, a JSON API, and a stream of events. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bus } from '../bus/contract.js';
import { fail, failure, ok, type Result } from '../domain/failure.js';
import { taskIdSchema } from '../domain/id.js';
import type { Logger } from '../observe/log.js';
import { actionOf, bodyLimit } from './actions.js';
import { type Asset, loadAssets } from './assets.js';
import { Board } from './board.js';
import type { Chart } from './chart.js';
import type { InspectorClient } from './client.js';
import { bracketed, type GuardOptions, hostsOf, isLoopback, refusalOf } from './guard.js';
import { answerRead } from './reads.js';
import { readJson, securityHeaders, sendFailure, sendJson, sendRefusal } from './respond.js';
import { type WatcherLimits, Watchers, watcherLimits } from './watchers.js';

export interface InspectorOptions {
  readonly bus: Bus;
  readonly client: InspectorClient;
  /** Statecharts of the roles, as `chartOf` reads them. */
  readonly machines: readonly Chart[];
  /** Default `127.0.0.1`. On any other address, looking needs the token too. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default: a random one. */
  readonly token?: string;
  /** Further names by which browsers may call it, without port. */
  readonly allowedHosts?: readonly string[];
  /** Who acts, in the messages that agents get. Default `inspector`. */
  readonly by?: string;
  readonly limits?: Partial<WatcherLimits>;
  readonly log: Logger;
}

export interface Inspector {
  /** With the token behind `#`, where it stays in the browser. */
  readonly url: string;
  readonly token: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Connections beyond the watchers': page loads and API calls. */
const otherConnections = 64;

/** Starts to follow the feed and to listen. */
export async function startInspector(options: InspectorOptions): Promise<Result<Inspector>> {
  const host = options.host ?? '127.0.0.1';
  const token = options.token ?? randomBytes(24).toString('base64url');
  const limits = { ...watcherLimits, ...options.limits };
  const board = new Board(options.bus.feed, options.log);
  const started = await board.start();
  if (!started.ok) return started;
  const watchers = new Watchers(board, options.bus.feed, options.log, limits);
  const guard: GuardOptions = {
    hosts: hostsOf(host, options.allowedHosts ?? []),
    token,
    readNeedsToken: !isLoopback(host),
  };
  const parts: Parts = { options, board, watchers, guard, assets: await loadAssets() };
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    handle(request, response, parts).catch((error: unknown) => {
      options.log.error('the inspector failed to answer', { path: request.url ?? '', error: String(error) });
      if (response.headersSent) response.destroy();
      else sendFailure(response, failure('internal', 'the inspector failed to answer', 'its log says why'));
    });
  });
  server.maxConnections = limits.watchers + otherConnections;
  const close = async (): Promise<void> => {
    watchers.close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 500).unref();
    await Promise.all([closed, board.close()]);
  };
  const listening = await listen(server, host, options.port ?? 0);
  if (!listening.ok) {
    await close();
    return listening;
  }
  const port = listening.value;
  return ok({ url: `http://${bracketed(reachable(host))}:${port}/#token=${token}`, token, port, close });
}

const reachable = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);

function listen(server: Server, host: string, port: number): Promise<Result<number>> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        fail(
          error.code === 'EADDRINUSE' ? 'conflict' : 'invalid_config',
          `the inspector cannot listen on ${host}:${port}: ${error.code === 'EADDRINUSE' ? 'another program has that port' : error.message}`,
          'a `hact dev` that runs already is used by `hact run` and all others; for a second one, --inspector-port 0 takes any free port',
        ),
      ),
    );
    server.listen(port, host, () => resolve(ok((server.address() as AddressInfo).port)));
  });
}

interface Parts {
  readonly options: InspectorOptions;
  readonly board: Board;
  readonly watchers: Watchers;
  readonly guard: GuardOptions;
  readonly assets: ReadonlyMap<string, Asset>;
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const method = request.method ?? 'GET';
  const url = urlOf(request);
  const api = url?.pathname.startsWith('/api/') ?? false;
  const refusal = refusalOf(method, request.headers, api, parts.guard);
  if (refusal !== undefined) return sendRefusal(response, refusal);
  if (url === undefined) return sendFailure(response, failure('invalid_request', 'the path cannot be read'));
  if (method === 'POST') return act(request, response, url, parts);
  if (method !== 'GET' && method !== 'HEAD') {
    return sendRefusal(response, { status: 405, kind: 'method', message: `expected GET or POST, got ${method}` });
  }
  if (url.pathname === '/api/events') return watch(request, response, url, parts);
  if (api) return read(response, url, parts);
  return serve(request, response, url, parts.assets);
}

function urlOf(request: IncomingMessage): URL | undefined {
  try {
    return new URL(request.url ?? '/', 'http://inspector');
  } catch {
    return undefined;
  }
}

const unknown = (path: string) => failure('not_found', `there is nothing at ${path.slice(0, 200)}`);

async function act(request: IncomingMessage, response: ServerResponse, url: URL, parts: Parts): Promise<void> {
  const { client, by = 'inspector', log } = parts.options;
  const action = actionOf(url.pathname, client, by);
  if (action === undefined) return sendFailure(response, unknown(url.pathname));
  const body = await readJson(request, bodyLimit);
  if (!body.ok) return sendRefusal(response, body.refusal);
  const done = await action.run(body.value);
  log.info('acted by the inspector', { path: url.pathname, ok: done.ok });
  if (done.ok) sendJson(response, 200, done.value ?? {});
  else sendFailure(response, done.failure);
}

async function read(response: ServerResponse, url: URL, { options, board }: Parts): Promise<void> {
  const { bus, client, machines } = options;
  const answer = await answerRead(url, { bus, client, machines, board });
  if (answer === undefined) sendFailure(response, unknown(url.pathname));
  else if (answer.ok) sendJson(response, 200, answer.value);
  else sendFailure(response, answer.failure);
}

function watch(request: IncomingMessage, response: ServerResponse, url: URL, { watchers }: Parts): void {
  const task = url.searchParams.get('task');
  const taskId = task === null ? undefined : taskIdSchema.safeParse(task);
  const from = request.headers['last-event-id'] ?? url.searchParams.get('after') ?? undefined;
  const after = from === undefined ? undefined : Number(from);
  if (taskId?.success === false || (after !== undefined && !(Number.isSafeInteger(after) && after >= 0))) {
    const message = 'expected ?task= to be a task id, and ?after= or Last-Event-ID to be a feed sequence';
    sendFailure(response, failure('invalid_request', message));
  } else {
    watchers.add(response, { taskId: taskId?.data, after });
  }
}

/** Paths of views are answered with the page, which finds its own way. */
const views = /^\/(tasks(\/[^/]*){0,2}|approvals|machines)?$/;

function serve(request: IncomingMessage, response: ServerResponse, url: URL, assets: ReadonlyMap<string, Asset>): void {
  const name = views.test(url.pathname) ? 'index.html' : url.pathname.replace(/^\/page\//, '');
  const asset = assets.get(name);
  if (asset === undefined) {
    sendFailure(response, unknown(url.pathname));
    return;
  }
  const headers = { ...securityHeaders, 'content-type': asset.type, etag: asset.etag, 'cache-control': 'no-cache' };
  if (request.headers['if-none-match'] === asset.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, 'content-length': asset.bytes.length });
  response.end(request.method === 'HEAD' ? undefined : asset.bytes);
}
