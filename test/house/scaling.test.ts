/** The examples for scaling: against the published schema where there is one, and against the names of the code. */
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { namesOf, priorities } from '../../src/bus/subject.js';
import { settingNamed } from '../../src/config/name.js';
import { composeMistakes } from './compose.js';
import { textOf } from './repository.js';

const names = namesOf('hact.v1', 8);
const worker = ['worker', '--role', 'executor', '--queue', 'gpu', '--concurrency', '64'];

const deploymentSchema = z.object({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    selector: z.object({ matchLabels: z.object({ app: z.string() }) }),
    template: z.object({
      metadata: z.object({ labels: z.object({ app: z.string() }) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.array(z.object({ args: z.array(z.string()) })),
      }),
    }),
  }),
});
const text = z.string();
const scaledSchema = z.strictObject({
  apiVersion: z.literal('keda.sh/v1alpha1'),
  kind: z.literal('ScaledObject'),
  metadata: z.object({ name: text }),
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ name: text }),
    pollingInterval: z.number(),
    cooldownPeriod: z.number(),
    minReplicaCount: z.literal(0),
    maxReplicaCount: z.number(),
    triggers: z.array(
      z.strictObject({
        type: z.literal('nats-jetstream'),
        // KEDA takes texts only.
        metadata: z.strictObject({
          natsServerMonitoringEndpoint: text,
          account: text,
          stream: text,
          consumer: text,
          lagThreshold: z.string().regex(/^\d+$/),
        }),
      }),
    ),
  }),
});

describe('the example for KEDA', () => {
  const documents = async () => parseAllDocuments(await textOf('docs/scaling/keda.yaml')).map((one) => one.toJS());

  it('scales the deployment that it holds, by the lanes that its workers serve', async () => {
    const [first, second] = await documents();
    const deployment = deploymentSchema.parse(first);
    const scaled = scaledSchema.parse(second);
    expect(scaled.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
    expect(deployment.spec.template.metadata.labels).toEqual(deployment.spec.selector.matchLabels);
    expect(deployment.spec.template.spec.containers.map(({ args }) => args)).toEqual([worker]);
    expect(scaled.spec.triggers.map(({ metadata }) => [metadata.stream, metadata.consumer])).toEqual(
      priorities.map((priority) => [names.streams.wake, names.consumer({ role: 'executor', priority, queue: 'gpu' })]),
    );
  });

  it('gives workers longer to stop than they take', async () => {
    const [first] = await documents();
    const seconds = deploymentSchema.parse(first).spec.template.spec.terminationGracePeriodSeconds;
    expect(seconds * 1_000).toBeGreaterThan(15_000);
  });
});

describe('the example for compose', () => {
  it('fits the published schema, alone and over the main file', async () => {
    const over = parse(await textOf('docs/scaling/compose.gpu.yaml'));
    expect(composeMistakes(over)).toEqual([]);
    expect(over.services['executor-gpu'].command).toEqual(worker);
    const base = parse(await textOf('docker-compose.yml'), { merge: true });
    expect(base.services).toHaveProperty('planner');
    expect(over.services['executor-gpu'].image).toBe(base.services.executor.image);
    expect(settingNamed('tasks.queues')?.variables).toEqual(Object.keys(over.services.planner.environment));
  });
});
