/** The one gate that every call passes before it can run: known tool, schema, permission, budget, approval. */
import type { CallAction, PlannedCall } from '../domain/call.js';
import { type Failure, ok, type Result } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';
import type { Permission } from '../domain/permission.js';
import { actionOf } from './control.js';
import { callHash } from './hash.js';
import { placeOf } from './place.js';
import { findCallable, type Registry } from './registry.js';
import type { Tool } from './tool.js';

export interface GateOptions {
  readonly registry: Registry;
  readonly permission: Permission;
  /** The worker's own folders, for a permission that names none. */
  readonly roots: readonly string[];
  /** Says why there is no budget for this call. */
  readonly budget?: (tool: Tool) => Failure | undefined;
  /** The arguments came out of untrusted data: whatever changes the world then asks a human, whoever trusts the tool. */
  readonly tainted?: boolean;
}

export interface Passed {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly action: CallAction;
  readonly needsApproval: boolean;
}

/** Never throws. A refusal says what to do instead and names the tools there are. */
export function passGate(
  call: { readonly name: string; readonly arguments: unknown },
  options: GateOptions,
): Result<Passed> {
  const found = findCallable(options.registry, call.name, options.permission);
  if (!found.ok) return found;
  const tool = found.value;
  const checked = options.registry.check(tool, call.arguments);
  if (!checked.ok) return checked;
  const refused = pathRefusal(tool, checked.value, options.permission.roots ?? options.roots) ?? options.budget?.(tool);
  if (refused !== undefined) return { ok: false, failure: refused };
  const action = actionOf(tool, checked.value);
  if (!action.ok) return action;
  return ok({ tool, arguments: checked.value, action: action.value, needsApproval: asksFirst(tool, options) });
}

function pathRefusal(tool: Tool, args: JsonObject, roots: readonly string[]): Failure | undefined {
  for (const name of tool.paths) {
    const given = args[name];
    if (typeof given !== 'string') continue;
    const place = placeOf(given, roots);
    if (!place.ok) return place.failure;
  }
  return undefined;
}

function asksFirst(tool: Tool, options: GateOptions): boolean {
  const { confirm, destructive, effect, route } = tool.declaration;
  if (route === 'ask' || route === 'finish') return false;
  const changes = effect === 'idempotent' || effect === 'unsafe';
  switch (options.permission.approval) {
    case 'auto':
      return false;
    case 'risky':
      return confirm || destructive || (options.tainted === true && changes && route === 'tool');
    case 'all':
      return true;
  }
}

/** A call as the pipeline read it, with name and arguments repaired. */
export type ReadCall = Pick<
  PlannedCall,
  'callId' | 'modelCallId' | 'name' | 'arguments' | 'requestId' | 'confidence' | 'repairs' | 'warnings' | 'rules'
>;

/** Sends a call through the gate and writes down what it asks for; a refusal becomes its observation later. */
export function planCall(call: ReadCall, options: GateOptions): PlannedCall {
  const passed = passGate(call, options);
  return {
    ...call,
    hash: safeHash(call),
    action: passed.ok ? passed.value.action : { route: 'refused', failure: passed.failure },
    effect: options.registry.find(call.name)?.declaration.effect ?? 'unsafe',
    needsApproval: passed.ok && passed.value.needsApproval,
  };
}

/** Arguments that were refused may be too deep to be walked. */
function safeHash(call: ReadCall): string {
  try {
    return callHash(call.name, call.arguments);
  } catch {
    return callHash(call.name, {});
  }
}
