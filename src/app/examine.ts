/** Whether a server suits Hermes, in words, each finding with what to do about it. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { atLeast, minimumServer } from '../bus/binary.js';
import { type Examination, examineServer, type Room } from '../bus/examine.js';
import { freeBytes } from '../bus/space.js';
import type { Settings } from '../config/settings.js';
import { ok, type Result } from '../domain/failure.js';
import { systemClock } from '../observe/clock.js';
import type { Runtime } from './runtime.js';
import { busOptions } from './survey.js';

export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'note' | 'bad';
  readonly words: string;
  /** What to do, where something is to be done. */
  readonly advice?: string;
}

/** Clocks are compared by the second: beyond this people see times that contradict each other. */
const noteOffsetMs = 2_000;
/** Beyond this deadlines are missed by what a short task takes. */
const badOffsetMs = 30_000;
const noteFreeBytes = 1_000_000_000;
const badFreeBytes = 64_000_000;
const noteShare = 0.8;
const badShare = 0.98;

export async function examine(runtime: Runtime): Promise<Result<Finding[]>> {
  const { server, settings } = runtime;
  const examined = await examineServer({ ...busOptions(runtime), name: 'hact doctor' }, () => systemClock.now());
  if (!examined.ok) return examined;
  const { clocks, rights, rooms, version } = examined.value;
  const where = server.started ? 'own server, started and stopped for this check' : server.shownUrl;
  return ok([
    ...versionFindings(version, where, settings),
    rightsFinding(rights),
    clockFinding(clocks),
    storageFinding(rooms, await freeOn(settings)),
  ]);
}

/** What older servers lack. `below`: the first version that has it. */
const lacking = [
  {
    name: 'durability',
    below: '2.10.0',
    words: 'a server below 2.10 may lose the last minute in a power cut; killed processes lose nothing',
    advice: 'update it, and set sync_interval: always where a power cut must lose nothing',
  },
  {
    name: 'speed',
    below: '2.11.0',
    words: 'a server below 2.11 gives records one at a time: long journals take longer to replay',
    advice: 'update it when agents have thousands of records',
  },
] as const;

/** Versions in which the holes of 2026 in permissions and JetStream are closed, by release line. */
const repaired = ['2.12.12', '2.14.3', '2.15.1'] as const;

export function versionFindings(version: string, where: string, { nats }: Pick<Settings, 'nats'>): Finding[] {
  if (!atLeast(version, minimumServer)) {
    const words = `${where}: version ${version}; expected ${minimumServer} or newer`;
    return [{ name: 'nats', state: 'bad', words, advice: 'update nats-server' }];
  }
  const lacks = lacking.filter(({ below }) => !atLeast(version, below));
  const isReachable = nats.url !== undefined && !/\/\/([^@/]*@)?(127\.|localhost|\[::1\])/.test(nats.url);
  return [
    { name: 'nats', state: 'ok', words: `${where}, version ${version}` },
    ...lacks.map(({ advice, name, words }): Finding => ({ name, state: 'note', words, advice })),
    ...(isReachable && !isRepaired(version)
      ? [
          {
            name: 'security',
            state: 'note',
            words: `nats-server ${version} has published holes in permissions, and others can reach it`,
            advice: `use ${repaired.join(', ')} or newer`,
          } as const,
        ]
      : []),
  ];
}

function isRepaired(version: string): boolean {
  const line = (text: string): string => text.split('.').slice(0, 2).join('.');
  const own = repaired.find((one) => line(one) === line(version));
  return atLeast(version, own ?? repaired[repaired.length - 1] ?? '');
}

function rightsFinding({ asked, denied, role }: Examination['rights']): Finding {
  const who = role === undefined ? 'this user' : `a user of the role ${role}`;
  if (denied.length === 0)
    return { name: 'rights', state: 'ok', words: `${who} has all ${asked} rights that it needs` };
  const [first = '', ...more] = denied;
  return {
    name: 'rights',
    state: 'bad',
    words: `${who} may not use ${first}${more.length > 0 ? ` and ${more.length} other subjects` : ''}, which it needs`,
    advice:
      role === undefined
        ? 'name the user hact_client, hact_worker, hact_inspector or hact_admin if it is to have the rights of a role only'
        : 'write the configuration of the server anew: hact bus users',
  };
}

function clockFinding(clocks: Examination['clocks']): Finding {
  const name = 'clocks';
  const beyond = ({ aheadMs, uncertainMs }: (typeof clocks)[number]) => Math.abs(aheadMs) - uncertainMs;
  const [worst] = [...clocks].sort((one, other) => beyond(other) - beyond(one));
  if (worst === undefined) return { name, state: 'note', words: 'there is nothing to compare yet' };
  if (beyond(worst) < noteOffsetMs) {
    const hosts = clocks.filter(({ hostId }) => hostId !== undefined).length;
    const which = hosts === 0 ? 'this machine and the server' : `this machine, the server and ${hosts} workers`;
    return { name, state: 'ok', words: `${which} agree within ${noteOffsetMs / 1000} s` };
  }
  const whose = worst.hostId === undefined ? 'the clock of this machine' : `the clock of worker ${worst.hostId}`;
  const way = worst.aheadMs > 0 ? 'ahead of' : 'behind';
  const seconds = (Math.abs(worst.aheadMs) / 1000).toFixed(1);
  return {
    name,
    state: beyond(worst) < badOffsetMs ? 'note' : 'bad',
    words: `${whose} is ${seconds} s ${way} the server's: deadlines and time-outs are off by as much`,
    advice: 'set the clocks by NTP (timedatectl set-ntp true, or chrony)',
  };
}

/** Undefined for a server elsewhere. */
async function freeOn({ dataDir, nats }: Settings): Promise<number | undefined> {
  if (nats.url !== undefined) return undefined;
  const folder = join(dataDir, 'nats');
  await mkdir(folder, { recursive: true }).catch(() => undefined);
  return freeBytes(folder).catch(() => undefined);
}

export function storageFinding(rooms: readonly Room[] | undefined, free: number | undefined): Finding {
  const name = 'storage';
  const shareOf = ({ bytes, most }: Room): number => (most === undefined ? 0 : bytes / most);
  const [fullest] = [...(rooms ?? [])].sort((one, other) => shareOf(other) - shareOf(one));
  if (fullest !== undefined && shareOf(fullest) > noteShare) {
    return {
      name,
      state: shareOf(fullest) > badShare ? 'bad' : 'note',
      words: `${fullest.of} holds ${inMegabytes(fullest.bytes)} of ${inMegabytes(fullest.most ?? 0)}; beyond that, tasks are refused`,
      advice: 'give it more room (jetstream { max_file_store }, or max_bytes of the stream)',
    };
  }
  if (free !== undefined && free < noteFreeBytes) {
    return {
      name,
      state: free < badFreeBytes ? 'bad' : 'note',
      words: `${inMegabytes(free)} are free on the disk of the own server; when it is full, tasks are refused`,
      advice: 'free some space, or set HACT_DATA_DIR to a folder on another disk',
    };
  }
  if (rooms === undefined) return { name, state: 'ok', words: 'this user may not ask; hact_admin may' };
  const held = rooms.find(({ of }) => of === 'the account')?.bytes ?? 0;
  const rest = free === undefined ? 'no limit is near' : `${inMegabytes(free)} are free`;
  return { name, state: 'ok', words: `${inMegabytes(held)} are stored, ${rest}` };
}

const inMegabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
