/** What makes a role: its contract with the model, its tools, and the limits it works under. */
import type { AgentPolicy } from '../machines/context.js';
import { FailureError, failure } from '../src/domain/failure.js';
import { type RoleName, roleNameSchema } from '../src/domain/id.js';
import type { Tool } from '../src/tools/tool.js';

export interface AgentDefinition {
  /** Subject-safe; workers of this name take its tasks. */
  readonly name: RoleName;
  /** Who the agent is and how it works; the general contract is added. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Role of its sub-agents. Default `executor`. */
  readonly childRole: RoleName;
  readonly policy: Partial<AgentPolicy>;
}

export interface AgentOptions {
  readonly name: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly childRole?: string;
  readonly policy?: Partial<AgentPolicy>;
}

/** Defines a role. Throws a `FailureError` in words when the definition is wrong: that is a bug of its author. */
export function defineAgent(options: AgentOptions): AgentDefinition {
  const role = (name: string): RoleName => {
    const parsed = roleNameSchema.safeParse(name);
    if (parsed.success) return parsed.data;
    throw new FailureError(
      failure('invalid_config', `agent ${JSON.stringify(name)}: expected ${parsed.error.issues[0]?.message}`),
    );
  };
  if (options.instructions.trim() === '') {
    throw new FailureError(
      failure('invalid_config', `agent ${options.name} has no instructions`, 'say who it is and what it does'),
    );
  }
  return {
    name: role(options.name),
    instructions: options.instructions,
    tools: options.tools,
    childRole: role(options.childRole ?? 'executor'),
    policy: options.policy ?? {},
  };
}
