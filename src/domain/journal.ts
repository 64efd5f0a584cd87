/** The journal: the truth about one agent. Records are appended with compare-and-set and never changed. */
import { z } from 'zod';
import { humanRequestSchema } from './human.js';
import { agentIdSchema, approvalIdSchema, taskIdSchema } from './id.js';
import { jsonObjectSchema, jsonSchema } from './json.js';
import { laneFields } from './lane.js';
import { messageSchema } from './message.js';
import { reportSchema } from './report.js';

const seq = z.number().int().nonnegative();

/** What leaves an agent, and where it goes. */
export const deliverySchema = z.discriminatedUnion('to', [
  /** A message to another agent's inbox, and a wake for its role. */
  z.object({
    to: z.literal('inbox'),
    agentId: agentIdSchema,
    ...laneFields,
    message: messageSchema,
    /** References to bodies that are added to the message when it is sent. */
    inject: z.array(z.string()).optional(),
  }),
  /** A timer of this agent: comes back as `timer.fired`. */
  z.object({ to: z.literal('timer'), name: z.string(), dueAt: z.number().int() }),
  /** The task's final record, for clients. Written once. */
  z.object({ to: z.literal('task'), taskId: taskIdSchema, report: reportSchema, endedAt: z.number().int() }),
  /** A request to a human, or its withdrawal. */
  z.object({ to: z.literal('human'), key: approvalIdSchema, request: humanRequestSchema.nullable() }),
]);
export type Delivery = z.infer<typeof deliverySchema>;

/** A delivery under way. `id` is agent and number, so a repeat is recognised. */
export const outgoingSchema = z.object({ id: z.string(), delivery: deliverySchema });
export type Outgoing = z.infer<typeof outgoingSchema>;

/** An effect that was started by the record which holds it. */
export const intentSchema = z.object({
  /** Agent and number: `<agent>.e<n>`. */
  id: z.string(),
  /** What is wanted: `decide`, `callTools`, … */
  src: z.string(),
  input: jsonSchema,
});
export type Intent = z.infer<typeof intentSchema>;

const base = z.object({ v: z.literal(1), epoch: seq, at: z.number().int() });

export const journalRecordSchema = z.discriminatedUnion('kind', [
  /** A host took the agent over. From here on, appends of older epochs fail. */
  base.extend({ kind: z.literal('epoch'), host: z.string(), machineVersion: z.number().int() }),
  /** One step of the machine: the events it took, the effects it started, the messages it sends. */
  base.extend({
    kind: z.literal('step'),
    events: z.array(jsonObjectSchema),
    intents: z.array(intentSchema),
    /** Ids of effects that were given up by this step. */
    stopped: z.array(z.string()),
    outgoing: z.array(outgoingSchema),
    /** Ids of earlier outgoing messages that are known to be sent. */
    sent: z.array(z.string()),
    /** Inbox sequence up to which messages are consumed. */
    inbox: seq,
    /** State after the step, for watchers: `act`, `parked`, … */
    state: z.string(),
  }),
  /** The host handed the agent over in good order: effects of the last step were not started. */
  base.extend({ kind: z.literal('released') }),
  /** Part of an effect: begun (before something that must not be repeated) or settled (with its outcome). */
  base.extend({
    kind: z.literal('part'),
    effectId: z.string(),
    part: z.string(),
    state: z.enum(['begun', 'settled']),
    outcome: jsonSchema,
  }),
]);
export type JournalRecord = z.infer<typeof journalRecordSchema>;
export type RecordOf<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>;

/** A shortcut past the head of the journal; always derivable from it. */
export const snapshotSchema = z.object({
  v: z.literal(1),
  agentId: agentIdSchema,
  ...laneFields,
  machineVersion: z.number().int(),
  /** Journal sequence that the snapshot includes. */
  seq,
  inbox: seq,
  epoch: seq,
  effects: seq,
  /** State value and context of the machine. */
  value: jsonSchema,
  context: jsonObjectSchema,
  deliveries: seq,
  /** The agent rests until a message comes. */
  parked: z.boolean(),
  ended: z.boolean(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;
