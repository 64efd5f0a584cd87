/** Writes what a server with role users needs: its configuration, and one file with the address of each user. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { roleUsers, type UsersOptions } from '../bus/users.js';
import { fail, ok, type Result } from '../domain/failure.js';

export interface WrittenUsers {
  readonly configuration: string;
  readonly users: readonly { readonly name: string; readonly file: string }[];
}

/** All files are readable by their owner only. Fails with `conflict` rather than write over passwords that are in use. */
export async function writeRoleUsers(
  folder: string,
  options: Omit<UsersOptions, 'storeDir'>,
): Promise<Result<WrittenUsers>> {
  const place = resolve(folder);
  const made = roleUsers({ ...options, storeDir: join(place, 'store') });
  if (!made.ok) return made;
  const configuration = join(place, 'server.conf');
  const write = (file: string, text: string) => writeFile(file, text, { mode: 0o600, flag: 'wx' });
  try {
    await mkdir(place, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await write(configuration, made.value.configuration);
    const users = [];
    for (const { name, url } of made.value.users) {
      const file = join(place, `${name}.env`);
      await write(file, `NATS_URL=${url}\n`);
      users.push({ name, file });
    }
    return ok({ configuration, users });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'EEXIST'
      ? fail('conflict', `there are users in ${place} already`, 'choose another folder, or remove its *.conf and *.env')
      : fail('invalid_config', `cannot write to ${place}: ${message}`, 'choose another folder');
  }
}
