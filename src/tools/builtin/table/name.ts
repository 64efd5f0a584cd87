/** Columns by name, as a model writes it. */
import { nearest } from '../../nearest.js';
import { toolFailure } from '../../tool-failure.js';

const plain = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** The place of a column; an unambiguous difference in case or white space is forgiven. Throws with the nearest names. */
export function columnOf(name: string, columns: readonly string[]): number {
  const exact = columns.indexOf(name);
  if (exact !== -1) return exact;
  const alike = columns.map((_, index) => index).filter((index) => plain(columns[index] ?? '') === plain(name));
  if (alike.length === 1 && alike[0] !== undefined) return alike[0];
  const near = nearest(name, columns);
  const all = `columns: ${columns.slice(0, 60).join(', ')}${columns.length > 60 ? ', …' : ''}`;
  throw toolFailure({
    kind: 'invalid_arguments',
    message: `there is no column ${JSON.stringify(name.slice(0, 100))}`,
    hint: near.length > 0 ? `did you mean ${near.map((one) => JSON.stringify(one)).join(' or ')}? ${all}` : all,
  });
}
