/** Names that look like a misspelt one. */
import { distance } from 'fastest-levenshtein';

const normal = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');

/** At most three of `names`, nearest first, none that differs in more than a third. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const target = normal(wanted.slice(0, 128));
  return names
    .map((name) => {
      const candidate = normal(name);
      const far = distance(target, candidate);
      const inside = target.length >= 3 && (candidate.includes(target) || target.includes(candidate));
      return {
        name,
        far: inside ? Math.min(far, 1) : far,
        most: Math.floor((Math.max(candidate.length, target.length) + 1) / 3),
      };
    })
    .filter(({ far, most }) => far <= most)
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}
