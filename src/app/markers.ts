/** The marker table of a process: the built-in one, and a user's file of further markers. */
import { readConfig, realFiles } from '../config/file.js';
import { fail, ok, type Result } from '../domain/failure.js';
import { extendMarkers } from '../parse/extend.js';
import { MARKERS, type MarkerTable } from '../parse/markers.js';

/** @param path a JSON or YAML file; without one, the built-in table */
export async function loadMarkers(path: string | undefined): Promise<Result<MarkerTable>> {
  if (path === undefined) return ok(MARKERS);
  const file = await readConfig(path, realFiles);
  if (!file.ok) return file;
  const extended = extendMarkers(MARKERS, file.value.content);
  if (extended.ok) return ok(extended.table);
  return fail('invalid_config', `${path}: ${extended.problem}`, 'docs/markers.md shows every part of such a file');
}
