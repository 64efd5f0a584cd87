/** All tools that come with the package. */
import type { Tool } from '../tool.js';
import { controlTools } from './control.js';
import { fileTools } from './files.js';
import { tableTools } from './table/tools.js';

export const builtinTools: readonly Tool[] = [...fileTools, ...tableTools, ...controlTools];
