/** Finds calls in a JSON value: every layout of name and arguments that models use. */
import type { Json, JsonObject } from '../domain/json.js';
import { type NameIndex, spelt } from './name.js';

/** One call as it stands in the value, before name and arguments are checked. */
export interface ShapeCall {
  readonly name: string;
  readonly arguments: Json | undefined;
  readonly id?: string;
  /** Path of the call in the value. */
  readonly path: readonly (string | number)[];
  /** Name and arguments stood under keys that say so; weaker layouts count only when everything fits. */
  readonly strong: boolean;
  /** The object describes a tool instead of calling it. */
  readonly describes?: boolean;
  /** The object records a call that was made, with what came of it. */
  readonly records?: boolean;
}

const NAME_KEYS = [
  'name',
  'tool',
  'tool_name',
  'toolname',
  'function',
  'function_name',
  'functionname',
  'action',
  'recipient_name',
  'api_name',
  'api',
  'method',
  'tool_to_use',
  'toolid',
  'tool_id',
  'call',
  'fn',
  'func',
  'op',
  '工具',
  '工具名',
  '函数',
  '函数名',
];
const ARGUMENT_KEYS = [
  'arguments',
  'args',
  'parameters',
  'params',
  'input',
  'action_input',
  'tool_input',
  'toolinput',
  'tool_args',
  'tool_arguments',
  'tool_parameters',
  'function_args',
  'function_arguments',
  'function_parameters',
  'kwargs',
  'inputs',
  'actioninput',
  'argument',
  'param',
  'parameter',
  'payload',
  'data',
  '参数',
];
const WRAPPER_KEYS = new Set([
  'tool_calls',
  'tool_call',
  'toolcalls',
  'toolcall',
  'function_call',
  'function_calls',
  'functioncall',
  'functioncalls',
  'calls',
  'actions',
  'tool_uses',
  'tool_use',
  'tooluse',
  'tooluses',
  'function',
  'tools',
  'invocations',
  'requests',
  'message',
  'choices',
  'output',
  'content',
  'functions',
  'action',
  'tool',
  'call',
  'command',
  'next_action',
  'response',
]);
const ID_KEYS = ['id', 'tool_call_id', 'call_id', 'tooluseid', 'tool_use_id', 'toolcallid'];
const SIDE_KEYS = new Set([
  'type',
  'index',
  'thought',
  'thoughts',
  'reasoning',
  'explanation',
  'reason',
  'status',
  'object',
  ...ID_KEYS,
]);
const MAX_CALLS = 512;

function norm(key: string): string {
  const lower = key.toLowerCase();
  return lower.includes('-') ? lower.replaceAll('-', '_') : lower;
}
const isObject = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The calls in `value`. Without a marker around it (`marked`), a name must be that of a registered tool or stand in the strong layout. */
export function callsIn(value: Json, index: NameIndex, marked: boolean): ShapeCall[] {
  const found: ShapeCall[] = [];
  visit(value, { index, marked, found, path: [] });
  return found;
}

interface Visit {
  readonly index: NameIndex;
  readonly marked: boolean;
  readonly found: ShapeCall[];
  /** Where the visit is; copied into what is found. */
  readonly path: (string | number)[];
}

const MAX_LEVELS = 5;

function visitAt(step: string | number, value: Json, v: Visit): void {
  v.path.push(step);
  visit(value, v);
  v.path.pop();
}

function visit(value: Json, v: Visit): void {
  if (v.path.length > MAX_LEVELS || v.found.length >= MAX_CALLS) return;
  if (Array.isArray(value)) {
    const items = value as Json[];
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as Json;
      if (item !== null && typeof item === 'object') visitAt(i, item, v);
    }
    return;
  }
  if (!isObject(value)) return;
  const keys = Object.keys(value);
  const call = named(value, keys, v);
  if (call !== undefined) {
    v.found.push(call);
    return;
  }
  const before = v.found.length;
  for (const key of keys) {
    const inner = value[key];
    if (inner === null || typeof inner !== 'object' || !WRAPPER_KEYS.has(norm(key))) continue;
    visitAt(key, inner, v);
    inheritId(value, v.found, before);
  }
  if (v.found.length === before) keyed(value, keys, v);
}

/** `{id, function: {name, arguments}}`: the id stands one level up. */
function inheritId(value: JsonObject, found: ShapeCall[], before: number): void {
  if (found.length !== before + 1) return;
  const call = found[before] as ShapeCall;
  const id = idOf(value);
  if (call.id === undefined && id !== undefined) found[before] = { ...call, id };
}

function idOf(value: JsonObject): string | undefined {
  for (const key of Object.keys(value)) {
    const id = value[key];
    if (ID_KEYS.includes(norm(key)) && (typeof id === 'string' || typeof id === 'number')) return String(id);
  }
  return undefined;
}

/** `{name, arguments}` under any of their names, or the arguments flat beside the name. */
function named(value: JsonObject, keys: readonly string[], v: Visit): ShapeCall | undefined {
  const nameKey = pickNameKey(value, keys, v);
  if (nameKey === undefined) return undefined;
  const name = value[nameKey] as string;
  const known = spelt(name, v.index);
  const id = idOf(value);
  const base = { name, path: [...v.path], ...(id === undefined ? {} : { id }) };
  const argumentKey = ranked(keys, ARGUMENT_RANK).find((key) => key !== nameKey);
  if (argumentKey !== undefined && (known !== undefined || v.marked || strongPair(nameKey, argumentKey))) {
    const args = value[argumentKey];
    if (describesTool(args, known?.kind === 'unknown' ? undefined : known?.tool))
      return { ...base, arguments: args, strong: true, describes: true };
    const rest =
      argumentKey === 'data' || isObject(args) || typeof args === 'string' || args === null || Array.isArray(args);
    if (rest)
      return {
        ...base,
        arguments: args,
        ...(recordsCall(value, keys, [nameKey, argumentKey]) ? { records: true } : {}),
        strong: known !== undefined || v.marked || strongPair(nameKey, argumentKey),
      };
  }
  if (known === undefined && !v.marked) return undefined;
  const flat = keys.filter((key) => key !== nameKey && !SIDE_KEYS.has(norm(key)));
  if (flat.length === 0 && norm(nameKey) === 'name' && !v.marked && keys.length > 2) return undefined;
  const args = Object.fromEntries(flat.map((key) => [key, value[key] as Json]));
  return { ...base, arguments: args, strong: v.marked && flat.length === 0 };
}

const rankOf = (words: readonly string[]): ReadonlyMap<string, number> => new Map(words.map((word, i) => [word, i]));
const NAME_RANK = rankOf(NAME_KEYS);
const ARGUMENT_RANK = rankOf(ARGUMENT_KEYS);
const MAX_KEYS = 64;
const LONGEST_KEY = 24;

/** The keys that the table knows, best first. */
function ranked(keys: readonly string[], ranks: ReadonlyMap<string, number>): readonly string[] {
  let known: string[] | undefined;
  for (let i = 0; i < keys.length && i < MAX_KEYS; i++) {
    const key = keys[i] as string;
    if (rankIn(ranks, key) === undefined) continue;
    known ??= [];
    known.push(key);
  }
  if (known === undefined) return NONE;
  return known.length < 2 ? known : known.sort((x, y) => (rankIn(ranks, x) ?? 0) - (rankIn(ranks, y) ?? 0));
}

const NONE: readonly string[] = [];

const rankIn = (ranks: ReadonlyMap<string, number>, key: string): number | undefined =>
  key.length > LONGEST_KEY ? undefined : ranks.get(norm(key));

function pickNameKey(value: JsonObject, keys: readonly string[], v: Visit): string | undefined {
  const known = ranked(keys, NAME_RANK);
  if (known.length === 0) return undefined;
  const candidates = known.filter((key) => typeof value[key] === 'string');
  return candidates.find((key) => spelt(value[key] as string, v.index) !== undefined) ?? candidates[0];
}

/** The pair leaves no doubt that a call is meant, even of a tool that does not exist. */
function strongPair(nameKey: string, argumentKey: string): boolean {
  const name = norm(nameKey);
  const args = norm(argumentKey);
  if (args === 'data' || args === 'payload' || args === 'param' || args === 'parameter') return false;
  return !(name === 'op' || name === 'method' || name === 'call' || name === 'api') || args === 'arguments';
}

/** `parameters` that hold a JSON Schema instead of values. */
function describesTool(args: Json | undefined, tool: { readonly parameters: JsonObject } | undefined): boolean {
  if (!isObject(args) || args.type !== 'object' || !isObject(args.properties)) return false;
  const properties = tool?.parameters?.properties;
  return !(isObject(properties) && Object.hasOwn(properties, 'properties'));
}

const OUTCOME_KEYS = new Set([
  'result',
  'results',
  'output',
  'response',
  'observation',
  'tool_result',
  'returned',
  'error',
  '结果',
  '输出',
]);
const DONE = /^(?:success|succeeded|ok|done|executed|finished|failed|failure|error|成功|失败|已完成|已执行|完成)$/i;
const OTHERS = /^(?:tool|user|system|function|developer)$/i;

/** Beside name and arguments stands what came of the call, or a role other than the model's. */
function recordsCall(value: JsonObject, keys: readonly string[], own: readonly string[]): boolean {
  return keys.some((key) => {
    if (own.includes(key)) return false;
    const item = value[key];
    const word = norm(key);
    if (OUTCOME_KEYS.has(word)) return item !== null && item !== '' && item !== false;
    if (typeof item !== 'string') return false;
    return word === 'status' || word === 'state' ? DONE.test(item) : word === 'role' && OTHERS.test(item);
  });
}

/** `{NAME: {arguments}}` */
function keyed(value: JsonObject, all: readonly string[], v: Visit): void {
  if (!all.some((key) => isObject(value[key]))) return;
  const keys = all.filter((key) => !SIDE_KEYS.has(norm(key)));
  if (keys.length === 0 || keys.length > 16) return;
  const named = keys.every(
    (key) => isObject(value[key]) && (spelt(key, v.index) !== undefined || (v.marked && keys.length === 1)),
  );
  if (!named) return;
  for (const key of keys) v.found.push({ name: key, arguments: value[key], path: [...v.path, key], strong: v.marked });
}
