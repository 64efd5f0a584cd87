/** Exit codes, as the README lists them. */
import type { Failure } from '../domain/failure.js';
import type { Report } from '../domain/report.js';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  exhausted: 3,
  denied: 4,
  busUnreachable: 5,
  modelUnreachable: 6,
  cancelled: 7,
  quota: 8,
  deadline: 124,
  interrupted: 130,
} as const;

export function exitOfFailure({ kind }: Failure): number {
  switch (kind) {
    case 'invalid_request':
    case 'invalid_config':
    case 'not_found':
    case 'conflict':
    case 'too_large':
    case 'unknown_queue':
      return exitCodes.usage;
    case 'bus_unreachable':
    case 'storage_refused':
      return exitCodes.busUnreachable;
    case 'model_unreachable':
    case 'model_unauthorised':
      return exitCodes.modelUnreachable;
    case 'quota_exceeded':
      return exitCodes.quota;
    case 'denied':
      return exitCodes.denied;
    case 'budget_exhausted':
      return exitCodes.exhausted;
    case 'deadline_passed':
      return exitCodes.deadline;
    case 'cancelled':
      return exitCodes.cancelled;
    default:
      return exitCodes.failed;
  }
}

export function exitOfReport({ status, termination, error }: Report): number {
  if (status === 'done') return exitCodes.done;
  if (termination === 'deadline_passed') return exitCodes.deadline;
  if (termination === 'denied' || termination === 'needs_input') return exitCodes.denied;
  if (status === 'exhausted') return exitCodes.exhausted;
  if (status === 'cancelled') return exitCodes.cancelled;
  return status === 'failed' && error !== undefined ? exitOfFailure(error) || exitCodes.failed : exitCodes.failed;
}
