/** Signed and encrypted reasoning goes back to the model as it came: byte for byte, through decision and prompt. */
import { describe, expect, test } from 'vitest';
import { sendable } from '../../agents/message.js';
import type { AssistantMessage } from '../../src/domain/chat.js';
import { createAssembler } from '../../src/llm/assemble.js';
import { requestBody } from '../../src/llm/body.js';
import { commonQuirks } from '../../src/llm/provider.js';
import { parseReply } from '../../src/parse/reply.js';
import { providerAt } from '../llm/support.js';

const call = { id: 'c1', type: 'function' as const, function: { name: 'f', arguments: '{"a": 1}' } };
const details = [
  { type: 'reasoning.text', text: '先想 one. ', signature: 'sig+/==', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'gAAAA+/xyz==', id: 'rs_1', format: 'openai-responses-v1', index: 1 },
  { type: 'reasoning.summary', summary: 'a summary', index: 2 },
];
const blocks = [
  { type: 'thinking', thinking: 'step by step', signature: 'EqQB+/==' },
  { type: 'redacted_thinking', data: 'EmwK+/==' },
];

const whole = (fields: Record<string, unknown>): AssistantMessage => {
  const assembler = createAssembler();
  assembler.push({ choices: [{ message: { role: 'assistant', content: 'Ok.', ...fields }, finish_reason: 'stop' }] });
  return assembler.finish().message;
};

describe('reasoning that is signed or encrypted', () => {
  test.each([
    ['reasoning_details', details],
    ['thinking_blocks', blocks],
    ['reasoning_content', 'plain thought'],
  ])('in %s goes into the next request unchanged', (field, value) => {
    const message = sendable(whole({ [field]: value, tool_calls: [call] }), []);
    expect(message[field]).toEqual(value);
    const body = JSON.parse(
      requestBody(
        { messages: [message], tools: [], maxOutputTokens: 10, temperature: 0, agentId: 'a', promptTokens: 1 } as never,
        providerAt('http://127.0.0.1:1'),
        commonQuirks,
      ),
    );
    expect(body.messages[0][field]).toEqual(value);
  });

  test('in parts of the content is kept beside the text', () => {
    const message = whole({ content: [...blocks, { type: 'text', text: 'Done.' }] });
    expect(message).toMatchObject({ content: 'Done.', thinking_blocks: blocks });
  });

  test('in pieces of a stream is put together block by block', () => {
    const assembler = createAssembler();
    const push = (part: unknown) => assembler.push({ choices: [{ delta: { thinking_blocks: [part] } }] });
    push({ type: 'thinking', thinking: 'step ' });
    push({ type: 'thinking', thinking: 'by step' });
    push({ type: 'thinking', thinking: '', signature: 'EqQB+/==' });
    push(blocks[1]);
    expect(assembler.finish().message.thinking_blocks).toEqual(blocks);
  });

  test('is named by the parser as it came, and its words are reasoning', () => {
    const reply = parseReply({ message: whole({ thinking_blocks: blocks, reasoning_details: details }), tools: [] });
    expect(reply.meta.sealed).toEqual([details[0], details[1], ...blocks]);
    expect(reply.reasoning).toContain('step by step');
    expect(reply.reasoning).toContain('先想 one.');
    expect(reply.content).toBe('Ok.');
  });
});
