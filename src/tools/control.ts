/** What a call means, by its tool's route: run it, hand it on, ask a person, end. */
import type { CallAction } from '../domain/call.js';
import { fail, ok, type Result } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';
import { type Delegation, delegationSchema } from '../domain/plan.js';
import { callHash } from './hash.js';
import { toJson } from './serialise.js';
import type { Tool } from './tool.js';
import { understood } from './tool-failure.js';

/** Reads the payload of a control call out of its arguments by the mapping of the tool's author. Never throws. */
export function actionOf(tool: Tool, args: JsonObject): Result<CallAction> {
  try {
    return mapped(tool, args);
  } catch (thrown) {
    return { ok: false, failure: understood(thrown, tool.declaration.name).failure };
  }
}

function mapped({ behaviour, declaration }: Tool, args: JsonObject): Result<CallAction> {
  switch (behaviour.route) {
    case 'tool':
      return ok({ route: 'tool' });
    case 'steer':
      return ok({ route: 'steer', steering: behaviour.steering(args) });
    case 'ask':
      return ok({ route: 'ask', question: String(behaviour.question(args)) });
    case 'finish': {
      const { status, summary, result } = behaviour.finish(args);
      const json = toJson(result);
      return json.ok ? ok({ route: 'finish', status, summary, result: json.value }) : json;
    }
    case 'delegate': {
      const parsed = delegationSchema.safeParse(behaviour.delegation(args));
      if (parsed.success) return ok({ route: 'delegate', delegation: { ...parsed.data, ...hashesOf(parsed.data) } });
      const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
      return fail('invalid_arguments', `${declaration.name} asks for an impossible subtask: ${problems}`);
    }
  }
}

const hashesOf = (delegation: Delegation) => ({ work: workOf(delegation), errand: errandOf(delegation) });

/** Spelling and spaces do not make it another errand. */
const errandOf = ({ goal, role }: Delegation): string =>
  callHash('errand', { goal: goal.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim(), role: role ?? '' });

const workOf = ({ goal, context, queue, role, tools, resultSchema }: Delegation): string =>
  callHash('work', {
    goal,
    context: context ?? '',
    role: role ?? '',
    tools: [...(tools ?? [])].sort(),
    resultSchema: resultSchema ?? {},
    ...(queue === undefined ? {} : { queue }),
  });
