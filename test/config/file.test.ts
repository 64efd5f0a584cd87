import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findConfig, readConfig, realFiles } from '../../src/config/file.js';

describe('configuration files on disk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hact-config-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const put = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    return path;
  };

  it('are found by their name', async () => {
    const path = await put('one/hact.config.mjs', 'export default { log: { level: "debug" } };');
    const expected = { ok: true, value: { path, content: { log: { level: 'debug' } } } };
    expect(await findConfig(join(folder, 'one'), realFiles)).toEqual(expected);
    expect(await findConfig(join(folder, 'none'), realFiles)).toEqual({ ok: true, value: undefined });
  });

  it('that are modules must load and export settings', async () => {
    const silent = await readConfig(await put('silent.mjs', 'export const a = 1;'), realFiles);
    expect(silent).toMatchObject({ ok: false, failure: { message: expect.stringContaining('no default export') } });
    const broken = await readConfig(await put('broken.mjs', 'throw new Error("no luck");'), realFiles);
    expect(broken).toMatchObject({ ok: false, failure: { message: expect.stringContaining('no luck') } });
  });

  it('that are folders are refused in words', async () => {
    await mkdir(join(folder, 'two/hact.config.json'), { recursive: true });
    const result = await findConfig(join(folder, 'two'), realFiles);
    expect(result).toMatchObject({
      ok: false,
      failure: { kind: 'invalid_config', message: expect.stringContaining('cannot be read') },
    });
  });
});
