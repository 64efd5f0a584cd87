/** The tools of a role, seen through a task's permission. */
import type { Json, JsonObject } from '../src/domain/json.js';
import type { Permission } from '../src/domain/permission.js';
import type { ToolDeclaration } from '../src/domain/tool.js';
import type { GateOptions } from '../src/tools/gate.js';
import type { Registry } from '../src/tools/registry.js';
import { resultProblem } from '../src/tools/schema-result.js';
import type { Tool } from '../src/tools/tool.js';

export interface Toolbox {
  find(name: string): Tool | undefined;
  names(permission: Permission): string[];
  /** The same array for the same tools, so that its wire form and token count are made once. */
  declarations(permission: Permission): readonly ToolDeclaration[];
  gateFor(permission: Permission): GateOptions;
  rootsFor(permission: Permission): readonly string[];
  /** How a value fails a JSON Schema, in words; undefined when it fits. */
  mismatch(schema: JsonObject, value: Json): string | undefined;
}

export function createToolbox(registry: Registry, roots: readonly string[]): Toolbox {
  const known = new Map<string, readonly ToolDeclaration[]>();
  const allowed = (permission: Permission): Permission =>
    permission.tools === undefined
      ? permission
      : { ...permission, tools: [...permission.tools, ...controlTools(registry, permission.tools)] };

  return {
    find: registry.find,
    names: (permission) => registry.names(allowed(permission)),
    declarations(permission) {
      const declarations = registry.declarations(allowed(permission));
      const key = declarations.map(({ name }) => name).join(' ');
      const before = known.get(key);
      if (before !== undefined) return before;
      known.set(key, declarations);
      return declarations;
    },
    gateFor: (permission) => ({ registry, permission: allowed(permission), roots }),
    rootsFor: (permission) => permission.roots ?? roots,
    mismatch: resultProblem,
  };
}

/** Every agent may ask and finish, whatever tools it was given; who may delegate may also steer. */
function controlTools(registry: Registry, given: readonly string[]): string[] {
  const declared = registry.declarations();
  const delegates = declared.some(({ route, name }) => route === 'delegate' && given.includes(name));
  return declared
    .filter(({ route }) => route === 'finish' || route === 'ask' || (route === 'steer' && delegates))
    .map(({ name }) => name);
}
