/** Every setting by its path, and what it is called in the environment and as a flag. */
import { z } from 'zod';
import { type Settings, settingsSchema } from './settings.js';

/** `nats.url`, `budget.roundsByKind.coding`, … */
export type SettingPath = PathOf<Settings>;
type PathOf<T, Prefix extends string = ''> = {
  [K in keyof T & string]: Required<T>[K] extends Group ? PathOf<Required<T>[K], `${Prefix}${K}.`> : `${Prefix}${K}`;
}[keyof T & string];
/** A group is an object with named settings; lists and maps by free names are values. */
type Group = { readonly [name: string]: unknown } & { readonly length?: never };

export interface SettingName {
  readonly path: SettingPath;
  /** One sentence for people. */
  readonly meaning: string;
  /** Environment variables, the strongest first. */
  readonly variables: readonly string[];
  readonly flag: string;
  /** Never shown, never quoted. */
  readonly secret: boolean;
  /** A path: relative to the file that sets it, else to the working folder. */
  readonly location: boolean;
}

const words = (path: string): string[] => path.split(/\.|(?=[A-Z])/).map((word) => word.toLowerCase());
const plainVariable = (path: string): string => `HACT_${words(path).join('_').toUpperCase()}`;
const plainFlag = (path: string): string => `--${words(path).join('-')}`;

/** Names that people know or that read better than the derived ones. */
const variableNames: Partial<Record<SettingPath, readonly string[]>> = {
  'nats.url': ['HACT_NATS_URL', 'NATS_URL'],
  'nats.creds': ['HACT_NATS_CREDS', 'NATS_CREDS'],
  'nats.token': ['HACT_NATS_TOKEN', 'NATS_TOKEN'],
  'model.name': ['HACT_MODEL'],
  'model.fallback': ['HACT_FALLBACK_MODELS'],
  'model.small': ['HACT_SMALL_MODEL'],
  'approval.policy': ['HACT_APPROVAL'],
  'log.level': ['HACT_LOG'],
  'telemetry.otlpEndpoint': ['HACT_TELEMETRY_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
};
const flagNames: Partial<Record<SettingPath, string>> = {
  'nats.url': '--nats',
  'model.name': '--model',
  'approval.policy': '--approval',
  'log.level': '--log',
  'worker.concurrency': '--concurrency',
};
const secrets: ReadonlySet<SettingPath> = new Set(['nats.token', 'model.apiKey', 'audit.key']);
const locations: ReadonlySet<SettingPath> = new Set([
  'nats.creds',
  'nats.server',
  'dataDir',
  'model.markers',
  'files.roots',
  'log.file',
]);

interface Leaf {
  readonly path: string;
  readonly meaning: string;
}

function leavesOf(schema: z.ZodType, prefix = ''): Leaf[] {
  const object = schema instanceof z.ZodPrefault ? (schema.unwrap() as z.ZodType) : schema;
  if (!(object instanceof z.ZodObject)) return [{ path: prefix.slice(0, -1), meaning: schema.description ?? '' }];
  return Object.entries(object.shape).flatMap(([key, inner]) => leavesOf(inner, `${prefix}${key}.`));
}

/** All settings in the order of the schema. */
export const settingNames: readonly SettingName[] = leavesOf(settingsSchema).map((leaf) => {
  // The type and the schema have the same paths by construction.
  const path = leaf.path as SettingPath;
  return {
    path,
    meaning: leaf.meaning,
    variables: variableNames[path] ?? [plainVariable(path)],
    flag: flagNames[path] ?? plainFlag(path),
    secret: secrets.has(path),
    location: locations.has(path),
  };
});

const byPath: ReadonlyMap<string, SettingName> = new Map(settingNames.map((name) => [name.path, name]));

export const settingNamed = (path: string): SettingName | undefined => byPath.get(path);

/** True when settings lie below this path. */
export const isGroup = (path: string): boolean => settingNames.some((name) => name.path.startsWith(`${path}.`));
