/** New formats are data: the examples of the page on markers, one for each shape. */
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadMarkers } from '../../src/app/markers.js';
import { extendMarkers } from '../../src/parse/extend.js';
import { MARKERS, type MarkerTable } from '../../src/parse/markers.js';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';

const page = readFileSync(new URL('../../docs/markers.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/\n([^\n]+):\n\n```yaml\n(.*?)```\n\n```text\n(.*?)```/gs)].map(
  ([, shape = '', yaml = '', text = '']) => ({ shape, yaml, text: text.trim() }),
);
const tools: readonly ParseTool[] = [
  {
    name: 'get_weather',
    description: '',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city', 'days'],
    },
  },
];
const read = (text: string, markers: MarkerTable) => parseReply({ text, tools, markers, finishReason: 'stop' });

describe('a format is added as data', () => {
  test('for each of the seven shapes', () => {
    expect(examples).toHaveLength(7);
  });

  test.each(examples)('$shape', ({ yaml, text }) => {
    const extended = extendMarkers(MARKERS, parse(yaml));
    if (!extended.ok) throw new Error(extended.problem);
    const reply = read(text, extended.table);
    expect(reply.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['get_weather', { city: 'Oslo', days: 2 }],
    ]);
    expect(reply.content).toBe('Let me look.');
    expect(yaml.trim().split('\n').length).toBeLessThanOrEqual(20);
  });

  test('that most of them need: without it, call or text is not what it should be', () => {
    const needed = examples.filter(({ text }) => {
      const reply = read(text, MARKERS);
      return reply.calls.length !== 1 || reply.content !== 'Let me look.';
    });
    expect(needed.length).toBeGreaterThanOrEqual(6);
  });

  test('and the built-in table stays as it was', () => {
    const before = JSON.stringify(MARKERS);
    extendMarkers(MARKERS, { tags: { snek: 'call' }, fences: ['snek'] });
    expect(JSON.stringify(MARKERS)).toBe(before);
  });
});

describe('a mistake is told with what was expected and what was met', () => {
  test.each([
    [{ tokens: { '<x>': 'cal' } }, 'tokens → <x>: expected one of call, call-end', 'met "cal"'],
    [{ token: {} }, 'the file: expected only tokens, words, tags', 'met token'],
    [{ callTags: 'perform' }, 'callTags: expected array', 'met "perform"'],
    [[], 'the file: expected object', 'met []'],
    [{ tokens: { 'x>': 'call' } }, 'tokens', 'expected a token that begins with <, [ or ◁'],
    [{ labels: { Do: 'verb' } }, 'labels → Do: expected one of thought, action', 'met "verb"'],
  ])('%j', (data, expected, met) => {
    const result = extendMarkers(MARKERS, data);
    expect(result.ok).toBe(false);
    const problem = result.ok ? '' : result.problem;
    expect(problem).toContain(expected);
    expect(problem).toContain(met);
  });
});

describe('a file of markers', () => {
  test.each([
    ['markers.yaml', 'tags:\n  snek: call\n'],
    ['markers.json', '{"tags": {"snek": "call"}}'],
  ])('is read from %s', async (name, content) => {
    const path = join(await mkdtemp(join(tmpdir(), 'hact-markers-')), name);
    await writeFile(path, content);
    const table = await loadMarkers(path);
    expect(table.ok && table.value.tags.snek).toBe('call');
  });

  test('that is missing, broken or wrong is named, with what to do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hact-markers-'));
    await writeFile(join(folder, 'broken.json'), '{');
    await writeFile(join(folder, 'wrong.yaml'), 'tags: {snek: cal}');
    const results = await Promise.all(
      ['none.yaml', 'broken.json', 'wrong.yaml'].map((name) => loadMarkers(join(folder, name))),
    );
    const told = results.map((result) => (result.ok ? '' : `${result.failure.message} ${result.failure.hint ?? ''}`));
    expect(told[0]).toContain('there is no such file');
    expect(told[1]).toContain('is no JSON');
    expect(told[2]).toMatch(/wrong\.yaml: tags → snek: expected one of .*met "cal".*docs\/markers\.md/);
  });

  test('is not needed', async () => {
    expect(await loadMarkers(undefined)).toEqual({ ok: true, value: MARKERS });
  });
});
