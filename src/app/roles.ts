/** The roles that come with Hermes, and their tools. */
import type { AgentDefinition } from '../../agents/definition.js';
import { executorAgent } from '../../agents/executor.js';
import { plannerAgent } from '../../agents/planner.js';
import { askUser, delegateTask, finish, steerSubtask } from '../tools/builtin/control.js';
import { fileTools } from '../tools/builtin/files.js';

import { tableTools } from '../tools/builtin/table/tools.js';

import type { Tool } from '../tools/tool.js';

/** `more` are tools of the user's own, for executors. */
export const builtInAgents = (more: readonly Tool[]): AgentDefinition[] => [
  plannerAgent([delegateTask, steerSubtask, ...fileTools, askUser, finish]),
  executorAgent([...fileTools, ...tableTools, ...more, askUser, finish]),
];
