/** The page's files, read once into memory. The list is what is served: no path of a request ever reaches the disk. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** By file name. */
export async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  const folder = fileURLToPath(new URL('./page/', import.meta.url));
  const names = (await readdir(folder)).filter((name) => types[extname(name)] !== undefined);
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, Asset]> => {
        const bytes = await readFile(`${folder}${name}`);
        const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
        return [name, { bytes, type: types[extname(name)] ?? '', etag }];
      }),
    ),
  );
}
