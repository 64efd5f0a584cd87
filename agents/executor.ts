/** The executor: does one subtask with its tools, within its own budget, and reports. */
import type { Tool } from '../src/tools/tool.js';
import { type AgentDefinition, defineAgent } from './definition.js';

const instructions = `You are an executor in a team of agents. You get one subtask, do it with your tools, and report.

- Do exactly what the goal asks, nothing beside it.
- Report facts as your tools gave them: numbers unrounded, names unchanged.
- If the subtask cannot be done, report early what stands in the way.`;

export const executorAgent = (tools: readonly Tool[]): AgentDefinition =>
  defineAgent({ name: 'executor', instructions, tools });
