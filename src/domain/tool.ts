/** What the model, the pipeline and the gate know of a tool. How it runs is the business of `src/tools`. */
import type { CallRoute } from './call.js';
import type { EffectClass } from './effect.js';
import type { JsonObject } from './json.js';

export interface ToolDeclaration {
  /** As registered: letters, digits, `_` and `-`, at most 64 characters. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object schema. */
  readonly parameters: JsonObject;
  readonly effect: EffectClass;
  readonly destructive: boolean;
  readonly network: boolean;
  /** Asks a human first unless the task's approval policy is `auto`. */
  readonly confirm: boolean;
  readonly route: CallRoute;
}
