/** Task records: what is known of one task, and the list of all. */
import { fail, ok, type Result } from '../domain/failure.js';
import type { TaskId } from '../domain/id.js';
import type { Json } from '../domain/json.js';
import { type TaskRecord, taskRecordSchema } from '../domain/task.js';
import type { Control } from './control.js';
import type { RequestOf, TaskLine } from './protocol.js';

/** Reads under way at once while listing. */
const width = 32;

export async function readRecord({ bus }: Control, taskId: TaskId): Promise<Result<TaskRecord>> {
  const found = await bus.buckets.task.get(taskId);
  if (!found.ok) return found;
  return found.value === undefined ? unknownTask(taskId) : parseRecord(taskId, found.value.value);
}

export const unknownTask = (taskId: string): Result<never> =>
  fail('not_found', `there is no task ${taskId}`, 'hact ls lists the tasks that there are');

export function parseRecord(taskId: string, value: Json): Result<TaskRecord> {
  const record = taskRecordSchema.safeParse(value);
  return record.success
    ? ok(record.data)
    : fail('damaged', `the record of task ${taskId} cannot be read: ${record.error.issues[0]?.message ?? ''}`);
}

/** The newest tasks first: ids begin with the time. */
export async function listTasks(control: Control, wanted: RequestOf<'task.list'>): Promise<Result<TaskLine[]>> {
  const keys = await control.bus.buckets.task.keys();
  if (!keys.ok) return keys;
  const ids = keys.value.filter((key) => !key.includes('.')).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)) as TaskId[];
  const lines: TaskLine[] = [];
  for (let start = 0; start < ids.length && lines.length < wanted.limit; start += width) {
    const records = await Promise.all(ids.slice(start, start + width).map((id) => readRecord(control, id)));
    for (const record of records) {
      if (record.ok) {
        if (wanted.state === undefined || record.value.state === wanted.state) lines.push(lineOf(record.value));
      } else if (record.failure.kind !== 'not_found' && record.failure.kind !== 'damaged') {
        return record;
      }
    }
  }
  return ok(lines.slice(0, wanted.limit));
}

function lineOf({ report, ...line }: TaskRecord): TaskLine {
  return report === undefined ? line : { ...line, status: report.status };
}
