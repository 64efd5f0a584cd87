/** One line of `hact parse`: a model's reply in any of its forms in, what the pipeline makes of it out. */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import type { Json, JsonObject } from '../domain/json.js';
import { createDeltaAssembler } from '../parse/delta.js';
import type { MarkerTable } from '../parse/markers.js';
import { type ParseTool, parseReply, type ReplyInput } from '../parse/reply.js';
import { createReplyStream } from '../parse/stream.js';

/** A tool as in an API request, or the bare function of one. */
const functionSchema = z.object({
  name: z.string(),
  description: z.string().default(''),
  parameters: z.record(z.string(), z.unknown()).default({ type: 'object' }),
  effect: z.enum(['pure', 'read', 'idempotent', 'unsafe']).optional(),
});
const toolSchema = z.union([z.object({ function: functionSchema }).transform((tool) => tool.function), functionSchema]);

const lineSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  text: z.string().optional(),
  message: z.record(z.string(), z.unknown()).nullish(),
  /** Pieces of the text, or chunks (or their deltas) of a stream. */
  chunks: z.array(z.unknown()).optional(),
  api: z.string().nullish(),
  finish_reason: z.string().nullish(),
  tools: z.array(toolSchema).default([]),
  prompt_opened_reasoning: z.boolean().default(false),
});
type Line = z.infer<typeof lineSchema>;

export interface ParsedLine {
  /** As the line has it; null where it has none that can be told. */
  readonly id: string | number | null;
  readonly reply: Result<JsonObject>;
}

/** @param markers the table to read by; see `loadMarkers` */
export function parseLine(text: string, markers: MarkerTable): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { id: null, reply: fail('invalid_request', `expected one JSON object a line: ${why}`) };
  }
  const id = lineSchema.shape.id.safeParse((value as { id?: unknown } | null)?.id).data ?? null;
  return { id, reply: readLine(value, markers) };
}

function readLine(value: unknown, markers: MarkerTable): Result<JsonObject> {
  const line = lineSchema.safeParse(value);
  if (!line.success) {
    const [issue] = line.error.issues;
    return fail('invalid_request', `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'not usable'}`);
  }
  if (line.data.text === undefined && line.data.message == null && line.data.chunks === undefined) {
    return fail('invalid_request', 'expected "text", "message" or "chunks"');
  }
  const reply = read(line.data, markers);
  // A reply consists of JSON by its types.
  const { reasoningTree, state } = reply;
  return ok({ ...reply, reasoningTree, state } as unknown as JsonObject);
}

function read(line: Line, markers: MarkerTable) {
  const { text, message, chunks, api, finish_reason: finishReason } = line;
  const options: Omit<ReplyInput, 'text' | 'message' | 'finishReason'> = {
    tools: line.tools as readonly ParseTool[],
    markers,
    promptOpenedReasoning: line.prompt_opened_reasoning,
    ...(api == null ? {} : { api }),
  };
  if (chunks === undefined) {
    return parseReply({
      ...options,
      ...(text === undefined ? {} : { text }),
      ...(message == null ? {} : { message: message as JsonObject }),
      ...(finishReason == null ? {} : { finishReason }),
    });
  }
  if (chunks.every((chunk) => typeof chunk === 'string')) {
    const stream = createReplyStream(options);
    for (const chunk of chunks) stream.push(chunk);
    return stream.end(finishReason ?? undefined);
  }
  const assembler = createDeltaAssembler();
  let finish = finishReason ?? undefined;
  for (const chunk of chunks) {
    const choice = choiceOf(chunk);
    assembler.push(choice.delta);
    finish = finish ?? choice.finishReason;
  }
  return parseReply({
    ...options,
    message: assembler.message(),
    ...(finish === undefined ? {} : { finishReason: finish }),
  });
}

/** A whole chunk with choices, a choice, or a bare delta. */
function choiceOf(chunk: unknown): { delta: Json | unknown; finishReason: string | undefined } {
  const fields = (chunk ?? {}) as { choices?: unknown; delta?: unknown; finish_reason?: unknown };
  const choice = Array.isArray(fields.choices) ? ((fields.choices[0] ?? {}) as typeof fields) : fields;
  return {
    delta: choice.delta ?? (Array.isArray(fields.choices) ? {} : chunk),
    finishReason: typeof choice.finish_reason === 'string' ? choice.finish_reason : undefined,
  };
}
