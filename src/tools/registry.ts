/** The tools of a worker or a role: found by exact name only, told to the model, checked. */
import { type Failure, fail, failure, ok, type Result } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';
import type { Permission } from '../domain/permission.js';
import type { ToolDeclaration } from '../domain/tool.js';
import { nearest } from './nearest.js';
import { nameProblem, type Tool } from './tool.js';

type Allowed = Pick<Permission, 'tools'>;

export interface Registry {
  /** By exact name, whether it can be used now or not. */
  find(name: string): Tool | undefined;
  /** Names that may be called now, in order of registration. */
  names(allowed?: Allowed): string[];
  /** What the model is told: tools that may be called now. */
  declarations(allowed?: Allowed): ToolDeclaration[];
  /** Whether the arguments fit, in words a model can act on; the arguments come back unchanged. */
  check(tool: Tool, args: unknown): Result<JsonObject>;
  /** The registry of a role. Fails when a name is not there. */
  subset(names: readonly string[]): Result<Registry>;
  /** The same and more. Fails when a name is taken. */
  with(tools: readonly Tool[]): Result<Registry>;
}

/** Fails, naming all offenders, when names are invalid or taken twice. */
export function createRegistry(tools: readonly Tool[]): Result<Registry> {
  const byName = new Map<string, Tool>();
  const problems: string[] = [];
  for (const tool of tools) {
    const { name } = tool.declaration;
    const problem = nameProblem(name) ?? (byName.has(name) ? `two tools are named ${JSON.stringify(name)}` : undefined);
    if (problem === undefined) byName.set(name, tool);
    else problems.push(problem);
  }
  if (problems.length > 0) return fail('invalid_config', problems.join('; '), 'give every tool a name of its own');
  return ok(registryOf(byName));
}

function registryOf(byName: ReadonlyMap<string, Tool>): Registry {
  const usable = (allowed: Allowed | undefined): Tool[] =>
    [...byName.values()].filter((tool) => isAllowed(tool.declaration.name, allowed) && isAvailable(tool));
  return {
    find: (name) => byName.get(name),
    names: (allowed) => usable(allowed).map((tool) => tool.declaration.name),
    declarations: (allowed) => usable(allowed).map((tool) => tool.declaration),
    check: (tool, args) => tool.schema.check(args),
    subset: (names) => {
      const missing = names.filter((name) => !byName.has(name));
      if (missing.length > 0) {
        const hint = nearestHint(missing[0] ?? '', [...byName.keys()]);
        return fail(
          'invalid_config',
          `no tool is named ${missing.map((name) => JSON.stringify(name)).join(', ')}`,
          hint,
        );
      }
      return ok(registryOf(new Map([...byName].filter(([name]) => names.includes(name)))));
    },
    with: (tools) => createRegistry([...byName.values(), ...tools]),
  };
}

export const isAllowed = (name: string, allowed: Allowed | undefined): boolean =>
  allowed?.tools === undefined || allowed.tools.includes(name);

/** A predicate that throws means no. */
export function isAvailable(tool: Tool): boolean {
  try {
    return tool.available() === true;
  } catch {
    return false;
  }
}

const mostNames = 40;

export function nearestHint(wanted: string, names: readonly string[]): string {
  const near = nearest(wanted, names);
  const shown = names.slice(0, mostNames).join(', ');
  const list =
    names.length === 0 ? 'no tools are available' : `available tools: ${shown}${names.length > mostNames ? ', …' : ''}`;
  return near.length === 0 ? list : `did you mean ${near.join(' or ')}? ${list}`;
}

/** Finds a tool that may be called now, or says why not and what there is. */
export function findCallable(registry: Registry, name: string, allowed: Allowed): Result<Tool> {
  const refuse = (why: Failure): Result<Tool> => ({ ok: false, failure: why });
  const tool = registry.find(name);
  const hint = nearestHint(name, registry.names(allowed));
  if (tool === undefined) return refuse(failure('unknown_tool', `there is no tool named ${quoted(name)}`, hint));
  if (!isAllowed(name, allowed)) {
    return refuse(failure('not_permitted', `this agent may not call ${name}`, hint));
  }
  if (!isAvailable(tool)) return refuse(failure('tool_unavailable', `${name} is not available at present`, hint));
  return ok(tool);
}

const quoted = (name: string): string => JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
