import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { ownFiles, repository, sourceFiles, textOf } from './repository.js';

/** Files whose text matches, with the place of the first match. */
async function matching(files: readonly string[], pattern: RegExp): Promise<string[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await textOf(file);
      const at = text.search(pattern);
      return at < 0 ? [] : [`${file}:${text.slice(0, at).split('\n').length}`];
    }),
  );
  return found.flat();
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

describe('the repository', () => {
  it('names no place of a workshop and no registry', async () => {
    // Put together here, so that this file does not match itself.
    const words = ['/wo~rk/', '/fa~rm/', '/tmp/stu~dio', 'npm~js.org', 'deb~ian.org'].map((word) =>
      word.replace('~', ''),
    );
    const files = await ownFiles();
    expect(files.length).toBeGreaterThan(50);
    expect(await matching(files, new RegExp(words.map(literally).join('|')))).toEqual([]);
  });

  it('names no machine in what people read', async () => {
    const pages = (await ownFiles()).filter((file) => file.endsWith('.md'));
    const places = ['/root/', `${repository}/`, `${homedir()}/`].filter((place) => place.length > 3);
    expect(await matching(pages, new RegExp(places.map(literally).join('|')))).toEqual([]);
  });

  it('has no barrels, no drawers and no state at the top of a module', async () => {
    const files = await sourceFiles(['src', 'agents', 'machines']);
    const barrels = files.filter((file) => file.endsWith('/index.ts') && file !== 'src/index.ts');
    const drawers = files.filter((file) => /(^|\/)(utils?|helpers?|common|misc)(\.ts|\/)/.test(file));
    expect([...barrels, ...drawers]).toEqual([]);
    expect(await matching(files, /^(export )?(let|var) /m)).toEqual([]);
  });
});

describe('links between pages', () => {
  it('lead somewhere', async () => {
    const files = await ownFiles();
    const known = new Set(files);
    const broken: string[] = [];
    for (const page of files.filter((file) => file.endsWith('.md') && !file.startsWith('test/'))) {
      for (const [, target = ''] of (await textOf(page)).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const path = new URL(target, `file:///${page}`).pathname.slice(1);
        if (!known.has(path) && !files.some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`))) {
          broken.push(`${page} → ${target}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });
});
