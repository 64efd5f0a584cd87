/** What submitting, watching and steering need of the world; put together once, in `src/app`. */
import { randomBytes } from 'node:crypto';
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import type { TaskId } from '../domain/id.js';
import type { JsonObject } from '../domain/json.js';
import type { Permission } from '../domain/permission.js';
import type { TaskKind } from '../domain/task.js';
import type { TenantTable } from '../domain/tenant.js';

/** What a submission leaves out. The settings have this shape. */
export interface Defaults {
  readonly budget: {
    readonly tokens: number;
    readonly usd: number;
    /** For tasks of every kind; absent: by kind. */
    readonly rounds?: number | undefined;
    readonly roundsByKind: Readonly<Record<TaskKind, number>>;
    readonly seconds: number;
    readonly toolCalls: number;
    readonly children: number;
  };
  readonly approval: { readonly policy: Permission['approval'] };
  readonly tasks: {
    /** That may be named although no worker serves them. */
    readonly queues: readonly string[];
    readonly tenants: TenantTable;
  };
}

/** Where names come from. */
export interface Ids {
  /** Sorts by time, so that the newest tasks are found without reading all. Holds no `-`, which sets children apart. */
  taskId(now: number): TaskId;
  /** 32 hex digits. */
  traceId(): string;
  /** Unique for ever. */
  token(): string;
}

export interface Control {
  readonly bus: Bus;
  /** Of all subjects, as the bus has it. */
  readonly prefix: string;
  readonly defaults: Defaults;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Why this is no JSON Schema, in words; undefined when it is one. */
  readonly schemaProblem: (schema: JsonObject) => string | undefined;
}

/** Crockford's alphabet: no letter that is read as another. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const epochMs = Date.UTC(2026, 0, 1);

/** Six characters of seconds and five of chance. */
export const idsFrom = (random: (bytes: number) => Uint8Array): Ids => ({
  taskId: (now) => {
    let seconds = Math.max(0, Math.floor((now - epochMs) / 1000));
    let time = '';
    for (let place = 0; place < 6; place += 1) {
      time = alphabet.charAt(seconds % 32) + time;
      seconds = Math.floor(seconds / 32);
    }
    const chance = [...random(5)].map((byte) => alphabet.charAt(byte % 32)).join('');
    return `tsk_${time}${chance}` as TaskId;
  },
  traceId: () => Buffer.from(random(16)).toString('hex'),
  token: () => Buffer.from(random(12)).toString('base64url'),
});

export const randomIds: Ids = idsFrom(randomBytes);
