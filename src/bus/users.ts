/** The configuration of a nats-server that knows the role users and nobody else. */
import { randomBytes } from 'node:crypto';
import { fail, ok, type Result } from '../domain/failure.js';
import { inboxOfUser, permissionsOf, roleOfUser } from './role-user.js';
import { namesOf, prefixPattern } from './subject.js';

export interface UsersOptions {
  readonly prefix: string;
  /** Names as `roleOfUser` knows them. */
  readonly users: readonly string[];
  readonly host: string;
  readonly port: number;
  /** Absolute path of the server's store. */
  readonly storeDir: string;
  /** Number of journal streams of the installation. Default 8. */
  readonly shards?: number;
}

export interface RoleUsers {
  /** For `nats-server -c`. Holds the passwords. */
  readonly configuration: string;
  readonly users: readonly { readonly name: string; readonly url: string }[];
}

const passwordBytes = 24;

/**
 * One account, users with passwords, no WebSocket, MQTT or leaf listener; nobody gets in without a password. There is no
 * `accounts` block on purpose: with one, servers before 2.10.4 may ask nobody for a password (CVE-2023-47090).
 */
export function roleUsers(options: UsersOptions): Result<RoleUsers> {
  const { prefix, host, port, storeDir, shards = 8 } = options;
  if (!prefixPattern.test(prefix)) return fail('invalid_config', `expected a prefix like hact.v1, got "${prefix}"`);
  const names = namesOf(prefix, shards);
  const users = [];
  const lines = [];
  for (const name of new Set(options.users)) {
    const role = roleOfUser(name);
    if (role === undefined) {
      return fail(
        'invalid_request',
        `expected a user like hact_worker or hact_worker_berlin, got ${JSON.stringify(name.slice(0, 80))}`,
        'roles are client, worker, inspector and admin',
      );
    }
    const password = randomBytes(passwordBytes).toString('base64url');
    const { publish, subscribe, answers } = permissionsOf(role, name, names);
    const permissions = {
      publish: { allow: publish },
      subscribe: { allow: subscribe },
      ...(answers ? { allow_responses: { max: 1, expires: '1m' } } : {}),
    };
    lines.push(`    # replies come below ${inboxOfUser(name)}`);
    lines.push(`    ${JSON.stringify({ user: name, password, permissions })}`);
    users.push({ name, url: `nats://${name}:${password}@${host}:${port}` });
  }
  const configuration = [
    '# Users of Hermes Actors by role, made by `hact bus users`. Holds passwords.',
    `host: ${JSON.stringify(host)}`,
    `port: ${port}`,
    `jetstream { store_dir: ${JSON.stringify(storeDir)} }`,
    'authorization {',
    '  users: [',
    ...lines,
    '  ]',
    '}',
    '',
  ].join('\n');
  return ok({ configuration, users });
}
