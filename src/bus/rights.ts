/** What a user of the server may not do of what its role needs, asked of the server without leaving a trace there. */
import { permissionsOf, type UserRole } from './role-user.js';
import type { Names } from './subject.js';
import { RawHeaders, type Wire } from './wire.js';

export interface Rights {
  /** Undefined for a user of another name, who is expected to have all rights. */
  readonly role: UserRole | undefined;
  readonly asked: number;
  /** Subjects that it may not publish to, or not listen on. */
  readonly denied: readonly string[];
}

export interface User {
  readonly name: string;
  readonly role: UserRole;
}

const probe = 'hact-doctor';
/** No stream of that name is there: no stream takes the message, and the API is asked for nothing that exists. */
const nowhere = new RawHeaders(`Nats-Expected-Stream: ${probe}\r\n`);
const nothing = Buffer.from('{}');

/** Needs of somebody who does everything, beside those of the roles. */
const making = [`$JS.API.STREAM.CREATE.${probe}`, `$JS.API.STREAM.UPDATE.${probe}`];

export async function rightsOf(wire: Wire, names: Names, user: User | undefined): Promise<Rights> {
  const needs =
    user === undefined
      ? (['client', 'worker', 'inspector'] as const).map((role) => permissionsOf(role, '', names))
      : [permissionsOf(user.role, user.name, names)];
  const publish = [...new Set(needs.flatMap((need) => need.publish)), ...(user === undefined ? making : [])];
  // Replies come to everybody somewhere else; that they come is shown by the connection itself.
  const subscribe = [...new Set(needs.flatMap((need) => need.subscribe))].filter((subject) => !/^_INBOX/.test(subject));
  const subjects = publish.map((pattern) => pattern.replaceAll(/(?<=^|\.)[*>](?=\.|$)/g, probe));
  const refused = await wire.refusals(() => {
    for (const subject of subjects) wire.tell(subject, nothing, nowhere);
    for (const subject of subscribe) wire.listen(subject, () => undefined)?.unsubscribe();
  });
  const denied = [
    ...publish.filter((_, index) => refused.has(subjects[index] ?? '')),
    ...subscribe.filter((one) => refused.has(one)),
  ];
  return { role: user?.role, asked: subjects.length + subscribe.length, denied };
}
