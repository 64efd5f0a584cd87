/**
 * Users of a NATS server by role, and exactly what each may do there: allow-lists only, and replies on subjects of their
 * own. A user is known by its name, so an address is all that a process needs to be told.
 */
import { bucketNames, type Names } from './subject.js';

export const userRoles = ['client', 'worker', 'inspector', 'admin'] as const;
export type UserRole = (typeof userRoles)[number];

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** May answer whoever asks it, on the subject that the question names. */
  readonly answers: boolean;
}

const userPattern = /^hact_(client|worker|inspector|admin)(?:_[A-Za-z0-9-]{1,32})?$/;

/** The role of a user like `hact_worker` or, one of several, `hact_worker_berlin`; undefined for users of other names. */
export const roleOfUser = (user: string): UserRole | undefined => userPattern.exec(user)?.[1] as UserRole | undefined;

/** Replies to this user come below this subject, and nobody else may listen there. */
export const inboxOfUser = (user: string): string => `_INBOX_${user}`;

/** What the user of that name may do. `*` never stands where a subscription to `>` would reach further. */
export function permissionsOf(role: UserRole, user: string, names: Names): Permissions {
  const inbox = `${inboxOfUser(user)}.>`;
  switch (role) {
    case 'client':
      return { publish: asking(names), subscribe: [inbox, ...watching(names)], answers: false };
    case 'inspector':
      return {
        publish: [
          ...asking(names),
          ...reading([...journals(names), names.streams.bucket('agent')]),
          `$JS.API.STREAM.INFO.${names.streams.journal(0)}`,
        ],
        subscribe: [inbox, ...watching(names)],
        answers: false,
      };
    case 'worker':
      return { publish: working(names), subscribe: [inbox, ...serving(names)], answers: true };
    case 'admin':
      return { publish: administering(names), subscribe: [inbox, ...administering(names)], answers: true };
  }
}

const journals = ({ shards, streams }: Names): string[] =>
  Array.from({ length: shards }, (_, shard) => streams.journal(shard));
const buckets = ({ streams }: Names): string[] => bucketNames.map((name) => streams.bucket(name));

const reading = (streams: readonly string[]): string[] =>
  streams.flatMap((stream) => [`$JS.API.DIRECT.GET.${stream}`, `$JS.API.DIRECT.GET.${stream}.>`]);

/** A short-lived consumer of one reader. */
const following = (stream: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
];

const endpoints = ({ prefix }: Names): string[] => [`${prefix}.task.*`, `${prefix}.approval.*`, `${prefix}.question.*`];

/** Requests to the service, the feed, results, and which hosts there are. Nothing of it stores anything. */
const asking = (names: Names): string[] => [
  ...endpoints(names),
  '$SRV.PING.hact',
  '$SRV.INFO.hact',
  '$SRV.STATS.hact',
  `$JS.API.STREAM.INFO.${names.streams.bucket('host')}`,
  ...reading([names.streams.bucket('task'), names.streams.bucket('host')]),
  `$JS.API.DIRECT.GET.${names.streams.events}`,
  ...following(names.streams.events),
];

const watching = (names: Names): string[] => [`${names.prefix}.evt.*.*.*`, names.heard('task', '*')];

function working(names: Names): string[] {
  const { prefix, streams } = names;
  const compared = [...journals(names), ...buckets(names)];
  return [
    ...[
      'log.*.*',
      'in.*',
      'ctl.*',
      'wake.*.*',
      'wake.*.*.*.*',
      'lane.*',
      'timer',
      'evt.*.*.*',
      'dead.*',
      'blob.*.*',
      'host.*',
      'kv.*.>',
    ].map((subject) => `${prefix}.${subject}`),
    ...bucketNames.map((name) => names.bucket(name)),
    ...reading([...compared, streams.inbox, streams.blob]),
    // A lost answer to a compare-and-set is settled by looking.
    ...compared.map((stream) => `$JS.API.STREAM.MSG.GET.${stream}`),
    // An ended agent's messages, a lease that is let go, a decision that is no more asked for. Journals are not among them.
    ...[streams.inbox, ...(['lease', 'host', 'task', 'approval'] as const).map(streams.bucket)].map(
      (stream) => `$JS.API.STREAM.MSG.DELETE.${stream}`,
    ),
    ...[streams.journal(0), streams.wake, ...buckets(names)].map((stream) => `$JS.API.STREAM.INFO.${stream}`),
    `$JS.API.DIRECT.GET.${streams.events}`,
    ...following(streams.events),
    ...following(streams.inbox),
    `$JS.API.CONSUMER.INFO.${streams.wake}.*`,
    ...[streams.wake, streams.timer].flatMap((stream) => [
      `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.*`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
      `$JS.ACK.${stream}.>`,
    ]),
  ];
}

function serving(names: Names): string[] {
  const { prefix, streams } = names;
  return [
    `${prefix}.in.*`,
    `${prefix}.ctl.*`,
    `${prefix}.host.*`,
    `${prefix}.lane.*`,
    `${prefix}.kv.*.>`,
    ...endpoints(names),
    '$SRV.>',
    ...[streams.wake, streams.timer].flatMap((stream) => [
      `$JS.EVENT.ADVISORY.CONSUMER.DELETED.${stream}.*`,
      `$JS.EVENT.ADVISORY.STREAM.DELETED.${stream}`,
    ]),
  ];
}

/** Everything below the prefix, its buckets and JetStream; other prefixes' messages are not among them. */
const administering = (names: Names): string[] => [
  `${names.prefix}.>`,
  ...bucketNames.map((name) => names.bucket(name)),
  '$JS.>',
  '$SRV.>',
];
