/** The JSON Schemas under `docs/protocol/`: every message that crosses the bus towards clients, from the zod contracts. */
import { z } from 'zod';
import { feedEventSchema } from '../domain/event.js';
import { failureSchema } from '../domain/failure.js';
import { humanRequestSchema } from '../domain/human.js';
import type { JsonObject } from '../domain/json.js';
import { reportSchema } from '../domain/report.js';
import { taskRecordSchema } from '../domain/task.js';
import { protocol } from './protocol.js';

/** Every document by its name; the file is `<name>.json`. */
export function protocolDocuments(): ReadonlyMap<string, JsonObject> {
  const documents = new Map<string, JsonObject>([
    ['report', document('report', 'Final report of an agent, in task records and events.', reportSchema, 'output')],
    [
      'event',
      document('event', 'One event of the feed, on <prefix>.evt.<task>.<agent>.<kind>.', feedEventSchema, 'output'),
    ],
    [
      'task-record',
      document('task-record', 'What is known of a task; bucket TASK and task.get.', taskRecordSchema, 'output'),
    ],
    ['human-request', document('human-request', 'What an agent asks of a human.', humanRequestSchema, 'output')],
    ['failure', document('failure', 'Body of a reply with a Nats-Service-Error header.', failureSchema, 'output')],
  ]);
  for (const [name, { request, response }] of Object.entries(protocol)) {
    documents.set(`${name}.request`, document(`${name}.request`, `Request <prefix>.${name}.`, request, 'input'));
    documents.set(`${name}.response`, document(`${name}.response`, `Answer to <prefix>.${name}.`, response, 'output'));
  }
  return documents;
}

/** As it lies in its file. */
export const documentText = (content: JsonObject): string => `${JSON.stringify(content, null, 2)}\n`;

/** Answers may grow new fields, so what does not know them must not refuse them. */
function document(name: string, description: string, schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { $schema, $id: `hact.v1/${name}`, title: name, description, ...rest } as unknown as JsonObject; // a schema document is JSON
}
