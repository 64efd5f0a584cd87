/** A worker process for one scenario: its tools ask the stage outside, so that nothing they did is lost with the process. */
import {
  type AgentDefinition,
  askUser,
  defineAgent,
  defineTool,
  delegateTask,
  finish,
  startWorker,
  type Tool,
  toolFailure,
} from '../../../src/index.js';
import { readScenario, type Scenario } from './scenario.js';

const [path = '', stage = '', settings = '{}'] = process.argv.slice(2);
const scenario = await readScenario(path);
const worker = await startWorker({
  roles: ['planner', 'executor'],
  agents: rolesOf(scenario, stage),
  settings: JSON.parse(settings) as Record<string, unknown>,
});
process.on('SIGTERM', () => void worker.stop().then(() => process.exit(0)));
process.send?.({ ready: worker.hostId });

function rolesOf({ agents, tools }: Scenario, url: string): AgentDefinition[] {
  const made = new Map(tools.map((tool) => [tool.function.name, toolFrom(tool, url)]));
  // A scenario that declares no tool of its own for delegation gets the product's.
  const known = new Map([[delegateTask.declaration.name, delegateTask], ...made]);
  const named = (names: readonly string[] | undefined): Tool[] =>
    (names ?? [...made.keys()]).flatMap((name) => known.get(name) ?? []);
  const instructions = 'You work on the goal with your tools and answer in the language of the goal.';
  return (['planner', 'executor'] as const).map((name) =>
    defineAgent({ name, instructions, tools: [...named(agents?.[name]), askUser, finish] }),
  );
}

function toolFrom(
  { function: declared, requires_approval, side_effect }: Scenario['tools'][number],
  url: string,
): Tool {
  const { name, description } = declared;
  const parameters = declared.parameters as Parameters<typeof defineTool>[0]['parameters'];
  if (name === 'delegate_task') {
    return defineTool({
      name,
      description,
      parameters,
      effect: 'idempotent',
      route: 'delegate',
      delegation: ({ task, tools, max_rounds: rounds }: Record<string, unknown>) => ({
        goal: String(task),
        ...(Array.isArray(tools) ? { tools: tools.map(String) } : {}),
        ...(typeof rounds === 'number' ? { budget: { rounds } } : {}),
      }),
    });
  }
  return defineTool({
    name,
    description,
    parameters,
    effect: side_effect ? 'unsafe' : 'read',
    confirm: requires_approval,
    async run(args, { agentId, signal }) {
      const asked = await fetch(`${url}/tool`, {
        method: 'POST',
        body: JSON.stringify({ tool: name, arguments: args, agentId }),
        signal,
      });
      const answer = (await asked.json()) as {
        result?: unknown;
        error?: { kind: string; message: string; retryable: boolean };
      };
      if (answer.error === undefined) return answer.result;
      throw toolFailure({
        kind: answer.error.kind === 'timeout' ? 'tool_timeout' : 'tool_failed',
        message: answer.error.message,
        retryable: answer.error.retryable,
      });
    },
  });
}
