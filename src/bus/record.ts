/**
 * Journal records as they are stored: a byte that says how, the sequence of the agent's record before, then the record's
 * JSON, deflated with a dictionary of the words that records are made of. Most of a record is such words, and a long
 * conversation has thousands of records.
 *
 * The sequence makes the records of an agent a chain: a server passes over a message whose bytes were damaged on its disk,
 * and an agent that is replayed without one of its records would do again what that record says was done.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { fail, ok, type Result } from '../domain/failure.js';
import { type JournalRecord, journalRecordSchema } from '../domain/journal.js';
import { decodeAs } from './text.js';

/** The first byte. Another dictionary needs the next number, up to 31; a record that is plain JSON begins with `{`. */
const FORM = 2;
/** The same without the sequence. */
const UNCHAINED_FORM = 1;
const LAST_FORM = 31;
const SEQ_BYTES = 6;
const PLAIN = '{'.charCodeAt(0);

/** Records are written by workers below the server's limit for a message; this only bounds what damage can do. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Never changed: records that were written with it could not be read any more. What is used most stands last, since
 * near words take fewer bits. Keys and choices only; what users write is in no dictionary.
 */
const WORDS = Buffer.from(
  [
    '"},{"to":"human","key":"apr_tsk_","request":null}{"kind":"approval","question":"","options":["approve","deny","edit"],"reason":"","expiresAt":',
    '{"to":"timer","name":"","dueAt":{"type":"timer.fired","timer":"","type":"task.ordered","type":"human.decided","decision":"approve","by":"","reason":"","type":"human.answered","text":"","type":"human.corrected","type":"human.paused","type":"human.resumed","type":"task.cancelled","type":"parent.ended"}"type":"budget.changed","budget":{"type":"slice.changed","type":"subtask.budget","state":"parked","state":"terminate"',
    '"kind":"epoch","host":"","machineVersion":"kind":"released"}"kind":"part","effectId":"tsk_","part":"call:","state":"begun","outcome":null}"state":"settled","outcome":{"status":"ok","data":"","status":"unknown","status":"error","error":{"kind":"","message":"","retryable":false,"attempts":',
    '"type":"agent.created","v":1,"order":{"taskId":"tsk_","agentId":"","rootId":"tsk_","parent":{"agentId":"","taskId":"","callId":"","epoch":,"depth":,"deadlineAt":},"role":"planner","role":"executor","goal":"","context":"","constraints":[],"files":[],"priority":"normal","priority":"high","priority":"low","tenant":"","queue":"","traceId":"","submittedAt":,"permission":{"approval":"risky","tools":[',
    '"policy":{"reflectEvery":4,"reflectTokens":,"repetition":{"window":,"count":},"leastOutputTokens":,"callsPerRound":,"humanTimeoutMs":,"fanOut":,"parallel":,"repairShare":,"childRole":"executor","gatherMs":',
    '"plan":{"steps":[],"dependsOn":[],"task_id":"","type":"child.reported","report":{"v":1,"taskId":"tsk_","status":"done","status":"failed","status":"partial","termination":"finished","result":"","summary":"","evidence":[{"callId":"","tool":"","claims":[]}],"artifacts":[],"unverified":[],"error":null,"usage":{"rounds":,"inputTokens":,"outputTokens":,"costUsd":,"toolCalls":,"children":},"budgetLeft":{"rounds":,"tokens":,"costUsd":,"toolCalls":,"children":,"seconds":},"spent":{"children":[]',
    '"outgoing":[{"id":"tsk_.o","delivery":{"to":"inbox","agentId":"tsk_","priority":"normal","message":{"id":"","seq":,"value":{"to":"task","taskId":"tsk_","report":{"endedAt":"sent":["tsk_.o"],"stopped":["tsk_.e"]',
    '{"type":"xstate.done.actor.reflect","output":{"text":"Looking back after  rounds:\\n- worked: \\n- left:  rounds,  tokens\\n- check against the goal: what is still missing? If nothing, finish."},"at":,"ref":"e","kind":"general","corrections":[],"unreadable":',
    '"kind":"finish","kind":"text","kind":"failed","action":{"route":"finish"},"action":{"route":"delegate"},"effect":"idempotent","effect":"unsafe","effect":"read","needsApproval":true,"rejected":[{"name":"","reason":"","failure":"","repairs":["","content":null,"content":"","reasoning":"","cached":true,"status":"error"',
    '{"v":1,"epoch":1,"at":17,"kind":"step","events":[{"type":"xstate.done.actor.decide","output":{"kind":"calls","usage":{"inputTokens":,"outputTokens":,"costUsd":0,"countedInputTokens":,"estimated":false},"message":{"role":"assistant","content":"","tool_calls":[{"id":"call_","type":"function","function":{"name":"","arguments":"{\\"\\":\\"\\"}"}}]},"messageTokens":,"text":"","state":{},"repairs":[],"rejected":[],"model":"","provider":"","attempts":1,"fallbacks":0,"ms":,"calls":[{"callId":"r1c1","requestId":"apr_tsk__r1c1","modelCallId":"call_","name":"","arguments":{"":""},"confidence":1,"repairs":[],"hash":"","action":{"route":"tool"},"effect":"pure","needsApproval":false}],"actionHash":""},"at":17,"ref":"e"}],"intents":[{"id":"tsk_.e","src":"callTools","input":{"decision":"e","calls":[{"callId":"r1c1","approvedBy":null}]}}],"stopped":[],"outgoing":[],"sent":[],"inbox":1,"state":"act"}',
    '{"v":1,"epoch":1,"at":17,"kind":"step","events":[{"type":"xstate.done.actor.callTools","output":{"results":[{"callId":"r1c1","name":"","status":"ok"}],"observations":[{"callId":"r1c1","name":"","attempts":1,"cached":false,"ms":0.,"tokens":0,"critical":false,"status":"ok","data":""}]},"at":17,"ref":"e"},{"type":"xstate.done.actor.perceive","output":{"promptTokens":,"roomTokens":,"promptCostUsd":0,"outputTokenCostUsd":0},"at":17,"ref":"e"}],"intents":[{"id":"tsk_.e","src":"decide","input":{"round":,"outputTokens":2048,"last":null}}],"stopped":[],"outgoing":[],"sent":[],"inbox":1,"state":"decide"}',
  ].join(''),
);

/** A record, and the sequence of the one before it in the same journal: 0 for the first, undefined where it was not kept. */
export interface Linked {
  readonly record: JournalRecord;
  readonly after: number | undefined;
}

/** Most records are this short, and take a step each. */
const SHORT_BYTES = 2_048;
const FAST = { level: constants.Z_BEST_SPEED, dictionary: WORDS };
/**
 * What a short record takes to deflate is mostly the making of the tables and the reading of the dictionary. So the tables
 * are as small as text and words need, and only the words that steps are made of are read, which stand last: who inflates
 * with the whole dictionary finds them in the same places.
 */
const SHORT = { ...FAST, dictionary: WORDS.subarray(-SHORT_BYTES), windowBits: 12, memLevel: 3, chunkSize: 1_024 };

/**
 * @param text the record's JSON
 * @param after sequence of the record before
 */
export function packRecord(text: Uint8Array, after: number): Uint8Array {
  const packed = deflateRawSync(text, text.length <= SHORT_BYTES ? SHORT : FAST);
  const bytes = Buffer.allocUnsafe(1 + SEQ_BYTES + packed.length);
  bytes[0] = FORM;
  bytes.writeUIntBE(after, 1, SEQ_BYTES);
  bytes.set(packed, 1 + SEQ_BYTES);
  return bytes;
}

/** @param where subject and sequence, for the failure: `damaged`, or `unsupported_version` for a form of a later version */
export function unpackRecord(bytes: Uint8Array, where: string): Result<Linked> {
  const [form = 0] = bytes;
  if (form === PLAIN) return linked(decodeAs(journalRecordSchema, bytes, where), undefined);
  if (form > FORM && form <= LAST_FORM)
    return fail(
      'unsupported_version',
      `${where} is stored in form ${form}, and this version reads form ${FORM}`,
      'update this worker',
    );
  const isChained = form === FORM && bytes.length > SEQ_BYTES;
  const json =
    isChained || form === UNCHAINED_FORM ? inflated(bytes.subarray(isChained ? 1 + SEQ_BYTES : 1)) : undefined;
  if (json === undefined) return fail('damaged', `${where} is corrupt: its bytes are no record`);
  const after = isChained
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUIntBE(1, SEQ_BYTES)
    : undefined;
  return linked(decodeAs(journalRecordSchema, json, where), after);
}

const linked = (record: Result<JournalRecord>, after: number | undefined): Result<Linked> =>
  record.ok ? ok({ record: record.value, after }) : record;

function inflated(packed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateRawSync(packed, { dictionary: WORDS, maxOutputLength: MAX_BYTES });
  } catch {
    return undefined;
  }
}
