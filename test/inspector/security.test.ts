import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentId } from '../../src/domain/id.js';
import { startInspector } from '../../src/inspector/server.js';
import { silent } from '../../src/observe/log.js';
import { value } from '../control/support.js';
import { agentChart, ask, type Inspected, startInspected } from './support.js';

let at: Inspected;
let port: number;
let json: Record<string, string>;
beforeAll(async () => {
  at = await startInspected();
  port = at.inspector.port;
  json = { authorization: `Bearer ${at.inspector.token}`, 'content-type': 'application/json' };
});
afterAll(() => at.end());

const kindOf = (text: string) => JSON.parse(text).error.kind;

describe('a request', () => {
  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost:1@evil.example', 'a b'])(
    'with the foreign Host %j is misdirected, whatever it asks for',
    async (host) => {
      for (const path of ['/', '/page/main.js', '/api/tasks', '/api/events']) {
        const answer = await ask(port, path, { headers: { host } });
        expect([answer.status, kindOf(answer.text)]).toEqual([421, 'wrong_host']);
      }
    },
  );

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('with the Host %j is served', async (host) => {
    expect((await ask(port, '/', { headers: { host: `${host}:${port}` } })).status).toBe(200);
  });

  it.each(['http://evil.example', 'null', 'http://localhost:1', 'https://127.0.0.1'])(
    'from a page of %s is refused, reading too',
    async (origin) => {
      const headers = { ...json, origin };
      expect((await ask(port, '/api/tasks', { headers })).status).toBe(403);
      const answer = await ask(port, '/api/agents/tsk_1/pause', { method: 'POST', headers, body: '{}' });
      expect([answer.status, kindOf(answer.text)]).toEqual([403, 'foreign_origin']);
    },
  );

  it('of another site without an Origin is refused when it changes something', async () => {
    const headers = { ...json, 'sec-fetch-site': 'cross-site' };
    expect((await ask(port, '/api/agents/x/pause', { method: 'POST', headers, body: '{}' })).status).toBe(403);
  });

  it('by WebSocket gets no connection', async () => {
    const headers = { connection: 'upgrade', upgrade: 'websocket', origin: 'http://evil.example' };
    expect((await ask(port, '/api/events', { headers })).status).toBe(403);
  });
});

describe('a change', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer nonsense' }],
    ['a token of another length', { authorization: 'Bearer ' }],
    ['the token as a password', { authorization: 'Basic x' }],
  ])('with %s is refused and reaches nobody', async (_, headers) => {
    const taskId = await at.submit({ goal: 'g' });
    const answer = await ask(port, `/api/agents/${taskId}/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
    expect([answer.status, kindOf(answer.text)]).toEqual([403, 'missing_token']);
    const messages = value(await at.control.bus.inbox.read(taskId as string as AgentId, 0));
    expect(messages.map(({ value: message }) => message.type)).toEqual(['task.ordered']);
  });

  it('does not take the token from the address', async () => {
    const path = `/api/agents/tsk_1/pause?token=${at.inspector.token}`;
    const answer = await ask(port, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(403);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', ''])(
    'as a form or in another type (%j) is refused',
    async (type) => {
      const headers = { ...json, 'content-type': type };
      const answer = await ask(port, '/api/agents/tsk_1/pause', { method: 'POST', headers, body: '{}' });
      expect([answer.status, kindOf(answer.text)]).toEqual([415, 'not_json']);
    },
  );

  it('with a body that is too large is refused, said beforehand or not', async () => {
    const body = `{"text":"${'x'.repeat(600_000)}"}`;
    const send = (headers: Record<string, string>) =>
      ask(port, '/api/agents/tsk_1/correct', { method: 'POST', headers: { ...json, ...headers }, body });
    expect((await send({ 'content-length': String(body.length) })).status).toBe(413);
    expect((await send({ 'transfer-encoding': 'chunked' })).status).toBe(413);
  });

  it('whose body is no JSON is refused', async () => {
    const answer = await ask(port, '/api/agents/tsk_1/pause', { method: 'POST', headers: json, body: '{"a":' });
    expect([answer.status, kindOf(answer.text)]).toEqual([400, 'invalid_request']);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('by %s does not exist', async (method) => {
    expect((await ask(port, '/api/tasks', { method, headers: json })).status).toBe(405);
  });
});

describe('a response', () => {
  it.each(['/', '/page/main.js', '/api/tasks', '/page/none.js'])('of %s leaves a browser no freedom', async (path) => {
    const { headers } = await ask(port, path);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each([
    '/page/../server.ts',
    '/page/%2e%2e/server.ts',
    '/page/..%2fserver.js',
    '/page/tsconfig.json',
    '/etc/passwd',
  ])('never holds another file (%s)', async (path) => {
    expect((await ask(port, path)).status).toBe(404);
  });

  it('holds no script, style or handler in the page itself', async () => {
    const { text } = await ask(port, '/');
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son[a-z]+=|\sstyle=|javascript:|https?:\/\//i);
  });

  it('never holds the token', async () => {
    for (const path of ['/', '/api/status', '/api/tasks', '/api/machines']) {
      expect((await ask(port, path)).text).not.toContain(at.inspector.token);
    }
  });
});

describe('an inspector that others than this machine can reach', () => {
  it('shows nothing without the token, and takes names that the operator adds', async () => {
    const open = value(
      await startInspector({
        bus: at.control.bus,
        client: at.client,
        machines: [agentChart],
        log: silent,
        host: '0.0.0.0',
        allowedHosts: ['inspector.example'],
      }),
    );
    const authorization = `Bearer ${open.token}`;
    expect((await ask(open.port, '/api/tasks')).status).toBe(403);
    expect((await ask(open.port, '/api/events')).status).toBe(403);
    expect((await ask(open.port, '/api/tasks', { headers: { authorization } })).status).toBe(200);
    expect((await ask(open.port, '/', { headers: { host: 'inspector.example' } })).status).toBe(200);
    expect((await ask(open.port, '/', { headers: { host: '0.0.0.0' } })).status).toBe(421);
    expect(open.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=/);
    await open.close();
  });

  it('says so when its port is taken', async () => {
    const { bus } = at.control;
    const second = await startInspector({ bus, client: at.client, machines: [], log: silent, port });
    expect(second).toMatchObject({
      ok: false,
      failure: { kind: 'conflict', message: expect.stringContaining(String(port)) },
    });
  });
});
