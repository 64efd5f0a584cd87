/** What lies on the server: every stream and durable consumer of one installation, for operators. */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import { type BusOptions, openWire } from './connect.js';
import { Store } from './store.js';
import { shardsOnServer } from './stream.js';
import { bucketNames, type Names, namesOf } from './subject.js';

export interface StreamLine {
  readonly name: string;
  /** False: it is not there, and the other figures are 0. */
  readonly there: boolean;
  readonly messages: number;
  readonly bytes: number;
  readonly consumers: number;
}

export interface ConsumerLine {
  readonly stream: string;
  readonly name: string;
  /** Messages that were not delivered yet. */
  readonly lag: number;
  /** Delivered and not acknowledged. */
  readonly underway: number;
  /** Of those, delivered more than once. */
  readonly redelivered: number;
  /** Open requests of workers. */
  readonly waiting: number;
}

export interface Survey {
  readonly server: { readonly address: string; readonly version: string };
  readonly streams: readonly StreamLine[];
  /** Durable ones: readers of the feed come and go. */
  readonly consumers: readonly ConsumerLine[];
}

const streamSchema = z.looseObject({
  state: z.looseObject({ messages: z.number(), bytes: z.number(), consumer_count: z.number() }),
});
const consumersSchema = z.looseObject({
  total: z.number(),
  consumers: z
    .array(
      z.looseObject({
        name: z.string(),
        config: z.looseObject({ durable_name: z.string().optional() }),
        num_pending: z.number(),
        num_ack_pending: z.number(),
        num_redelivered: z.number(),
        num_waiting: z.number(),
      }),
    )
    .nullish(),
});

/** Makes and changes nothing. Needs a user who may ask JetStream about streams and consumers. */
export async function surveyServer(options: BusOptions): Promise<Result<Survey>> {
  const opened = await openWire({ ...options, streams: 'none' });
  if (!opened.ok) return opened;
  const { wire } = opened.value;
  const store = new Store(wire, async () => undefined);
  try {
    const shards = await shardsOnServer(wire, opened.value.names);
    if (!shards.ok) return shards;
    const names = namesOf(opened.value.names.prefix, shards.value ?? opened.value.names.shards);
    const streams: StreamLine[] = [];
    const consumers: ConsumerLine[] = [];
    for (const name of streamNames(names)) {
      const line = await streamLine(store, name);
      if (!line.ok) return line;
      streams.push(line.value);
      const found = line.value.consumers > 0 ? await consumersOf(store, name) : ok([]);
      if (!found.ok) return found;
      consumers.push(...found.value);
    }
    const { server, version } = wire.status();
    return ok({ server: { address: server, version }, streams, consumers });
  } finally {
    await wire.close();
  }
}

export const streamNames = ({ shards, streams }: Names): string[] => [
  ...Array.from({ length: shards }, (_, shard) => streams.journal(shard)),
  ...[streams.inbox, streams.wake, streams.timer, streams.events, streams.dead, streams.blob],
  ...bucketNames.map((name) => streams.bucket(name)),
];

async function streamLine(store: Store, name: string): Promise<Result<StreamLine>> {
  const info = await store.info(name);
  if (!info.ok) return info;
  const known = streamSchema.safeParse(info.value);
  if (!known.success) return ok({ name, there: false, messages: 0, bytes: 0, consumers: 0 });
  const { messages, bytes, consumer_count: consumers } = known.data.state;
  return ok({ name, there: true, messages, bytes, consumers });
}

async function consumersOf(store: Store, stream: string): Promise<Result<ConsumerLine[]>> {
  const lines: ConsumerLine[] = [];
  for (let offset = 0; ; ) {
    const page = await store.api(`CONSUMER.LIST.${stream}`, { offset });
    if (!page.ok) return page;
    const read = consumersSchema.safeParse(page.value);
    if (!read.success) return fail('internal', `the server's list of consumers of ${stream} cannot be read`);
    const { consumers, total } = read.data;
    for (const { name, config, ...counts } of consumers ?? []) {
      if (config.durable_name === undefined) continue;
      const {
        num_pending: lag,
        num_ack_pending: underway,
        num_redelivered: redelivered,
        num_waiting: waiting,
      } = counts;
      lines.push({ stream, name, lag, underway, redelivered, waiting });
    }
    offset += consumers?.length ?? 0;
    if ((consumers?.length ?? 0) === 0 || offset >= total) return ok(lines);
  }
}
