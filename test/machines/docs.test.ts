/** The pages of `docs/machines` are what the machines say. `npm run docs:machines` writes them anew. */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { machines } from '../../machines/list.js';
import { pageOf } from './page.js';

const folder = fileURLToPath(new URL('../../docs/machines/', import.meta.url));

describe('docs/machines', () => {
  it.each([...machines])('shows $name as it is; if not, run npm run docs:machines', async (listed) => {
    await expect(pageOf(listed)).toMatchFileSnapshot(`${folder}${listed.name}.md`);
  });

  it('has a page for every machine and no other', async () => {
    const pages = (await readdir(folder)).filter((name) => name !== 'README.md');
    expect(pages.sort()).toEqual(machines.map(({ name }) => `${name}.md`).sort());
  });
});
