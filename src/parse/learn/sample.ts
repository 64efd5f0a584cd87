/** An unread reply, kept until enough of its kind are there to find the pattern behind them. */
import { z } from 'zod';
import { type JsonObject, jsonObjectSchema } from '../../domain/json.js';
import type { ParseTool } from '../name.js';
import { idOf } from './life.js';

const TEXT_MAX = 2_000;
const SCHEMA_MAX = 4_000;

export const sampleSchema = z.object({
  id: z.string().max(40),
  text: z.string().max(TEXT_MAX),
  /** The tool that it names. */
  tool: z.object({ name: z.string().max(80), parameters: jsonObjectSchema }),
  /** ms since 1970. */
  at: z.number().int(),
});
export type Sample = z.infer<typeof sampleSchema>;

/** Undefined for what is too long to be kept: a part of it would teach something wrong. */
export function newSample(text: string, tool: ParseTool, at: number): Sample | undefined {
  const parameters: JsonObject = tool.parameters;
  if (text.length > TEXT_MAX || JSON.stringify(parameters).length > SCHEMA_MAX) return undefined;
  return { id: idOf('s_', text), text, tool: { name: tool.name, parameters }, at };
}
