import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';

const tools: ParseTool[] = [
  ['delete_file', 'path'],
  ['search', 'query'],
].map(([name, key]) => ({
  name: name as string,
  description: name as string,
  effect: 'unsafe',
  parameters: { type: 'object', properties: { [key as string]: { type: 'string' } }, required: [key as string] },
}));
const names = (text: string): string[] =>
  parseReply({ text, tools, finishReason: 'stop' }).calls.map(({ name }) => name);

describe('the declaration of a function', () => {
  it.each([
    'delete_file(path: str)',
    'delete_file(path: str = "/a")',
    'delete_file(\n    path: str,\n    *,\n    force: bool = False,\n)',
    'delete_file(\n  path: string\n): void',
    'delete_file(\n    path="/a",\n) -> bool',
    'delete_file(\n  path = "/a"\n) {\n  return 1;\n}',
    'delete_file(path: list[str] | None)',
    'delete_file(String path, boolean force)',
    'delete_file(const char *path)',
    'delete_file(path: 字符串)',
    'delete_file(path)',
    'delete_file($path)',
    'delete_file(path=path)',
    '[delete_file(path: str)]',
    '<tool_call>delete_file(path: str)</tool_call>',
    '```\npublic void delete_file(path="/a")\n```',
    '```\ndelete_file(path="/a"):\n    pass\n```',
    '```\ndelete_file(path="/a") -> None\n```',
  ])('is no call: %s', (given) => {
    expect(names(given)).toEqual([]);
  });

  it.each([
    'delete_file(path=/a/b)',
    'delete_file("path")',
    'delete_file(path=Report)',
    'search(query=Paris weather)',
    'search(query=list files)',
    '<tool_call>delete_file(path="string.txt")</tool_call>',
    '```tool_code\nawait delete_file(path="/a")\n```',
    '```tool_code\nx = delete_file(path="/a")\n```',
    '```tool_code\ndelete_file(path="/a");\n```',
  ])('is told from a call: %s', (given) => {
    expect(names(given)).toHaveLength(1);
  });
});
