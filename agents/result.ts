/** How each call of a round ended, in the words the model reads. */
import type { CallResult } from '../machines/context.js';
import type { PlannedCall } from '../src/domain/call.js';
import type { Failure } from '../src/domain/failure.js';
import { failure, isRetryable } from '../src/domain/failure.js';
import type { Json } from '../src/domain/json.js';
import type { Report } from '../src/domain/report.js';
import type { Recall } from '../src/host/role.js';
import { messageIn, toolsIn } from './record.js';

/** The body of a result as JSON text: `{status, data}` or `{status, error}`. */
export function resultText(call: PlannedCall, result: CallResult, recall: Recall): string {
  const observation = toolsIn(recall, result.ref)?.observations?.find((item) => item.callId === call.callId);
  if (observation !== undefined) {
    const { status, data, error, cached, artifact } = observation;
    return text({
      status,
      ...(error === undefined ? { data } : { error }),
      ...(cached ? { cached } : {}),
      ...(artifact ? { artifact } : {}),
      ...(call.warnings?.length ? { warnings: call.warnings } : {}),
    });
  }
  if (call.action.route === 'refused') return errorText(call.action.failure);
  if (call.action.route === 'steer' && result.status === 'ok')
    return text({ status: 'ok', data: 'sent; what it may spend now stands in the list of subtasks' });
  if (!result.ref.startsWith('in.')) return errorText(notRun(result));
  return messageText(call, result, recall);
}

const text = (value: object): string => JSON.stringify(value);
const errorText = (why: Failure): string => text({ status: 'error', error: { ...why, retryable: isRetryable(why) } });

/** The call was well-formed and still not started, for the reason that the machine gave. */
function notRun({ name, refusal }: CallResult): Failure {
  switch (refusal) {
    case 'depth_exceeded':
      return failure(refusal, `${name}: agents may not be nested any deeper`, 'do the work yourself');
    case 'circular':
      return failure(
        refusal,
        `${name}: this is what you, or an agent above you, were asked to do yourself`,
        'do the work yourself, or hand on only a part of it',
      );
    case 'not_found':
      return failure(refusal, `${name}: no subtask of that name is under way`, 'see the list of subtasks');
    case 'cancelled':
      return failure(refusal, `${name}: stopped before it began`, 'it has spent nothing');
    case 'fan_out_exceeded':
      return failure(refusal, `${name}: too many subtasks are under way`, 'wait for reports, or give each more to do');
    case 'repair_exhausted':
      return failure(
        refusal,
        `${name}: this has been tried as often, or with as much budget, as repairs may take`,
        'leave it out and say so, split it otherwise, or do the work yourself',
      );
    case 'invalid_arguments':
      return failure(
        refusal,
        `${name}: \`depends_on\` names a subtask that is not known, or one that itself waits for this one`,
        'name only subtasks of this or earlier calls, and none in a circle',
      );
    case 'conflict':
      return failure(
        refusal,
        `${name}: the same subtask is under way, or one in \`depends_on\` has failed`,
        'wait for the report; have what failed done again first, or do without it',
      );
    default:
      return failure(
        refusal ?? 'budget_exhausted',
        `${name}: the budget for it is used up`,
        'finish with what you have, or do the work yourself',
      );
  }
}

function messageText(call: PlannedCall, result: CallResult, recall: Recall): string {
  const message = messageIn(recall, result.ref);
  switch (message?.type) {
    case 'child.reported':
      return message.report.agentId === undefined
        ? errorText(failure('internal', 'the report is empty'))
        : reportText(call, message.report);
    case 'human.answered':
      return text({ status: 'ok', data: message.text, by: message.by });
    case 'human.decided':
      return errorText(
        failure(
          'denied',
          `${message.by} did not allow this call${message.reason ? `: ${message.reason}` : ''}`,
          'go on without it and say so',
        ),
      );
    case 'timer.fired':
      return errorText(failure('denied', 'nobody answered in time', 'go on without it and say so'));
    default:
      return errorText(failure('internal', `the result ${result.ref} cannot be read`));
  }
}

/** A child's report without what only machines need. */
function reportText(call: PlannedCall, report: Report): string {
  const { status, result, summary, termination, error, artifacts, retryable, agentId, unverified } = report;
  const mine = call.action.route === 'delegate';
  if (!mine) return errorText(failure('internal', `unexpected report of ${agentId}`));
  const body: Record<string, Json> = { status, result, summary, termination };
  if (error !== undefined) body.error = { kind: error.kind, message: error.message, retryable };
  if (artifacts.length > 0) body.artifacts = artifacts.map(({ name, ref }) => ({ name, ref }));
  if (unverified !== undefined) {
    body.unverified = unverified.map(({ about, claim, reason }) => ({ about, claim, reason }));
    body.hint = unverifiedHint;
  }
  return text(body);
}

const unverifiedHint =
  'the journal of that agent does not support these claims: do not pass them on as facts; check them with a tool, order the work again, or say that they are unverified';
