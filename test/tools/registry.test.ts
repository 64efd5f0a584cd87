import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRegistry, type Registry } from '../../src/tools/registry.js';
import { defineTool, type Tool } from '../../src/tools/tool.js';

const named = (name: string, available?: () => boolean): Tool =>
  defineTool({
    name,
    description: name,
    parameters: z.object({}),
    effect: 'read',
    ...(available === undefined ? {} : { available }),
    run: () => 1,
  });

const registryOf = (...tools: Tool[]): Registry => {
  const made = createRegistry(tools);
  if (!made.ok) throw new Error(made.failure.message);
  return made.value;
};

describe('a registry', () => {
  test.each(['toString', '__proto__', 'hasOwnProperty', 'constructor', 'Read_file', 'read_file ', 'rеad_file', ''])(
    'does not find %j',
    (name) => {
      expect(registryOf(named('read_file')).find(name)).toBeUndefined();
    },
  );

  test('names every double and invalid name at once', () => {
    const odd = { ...named('x'), declaration: { ...named('x').declaration, name: '__proto__' } };
    const made = createRegistry([named('a'), named('a'), odd]);
    expect(made).toMatchObject({ ok: false, failure: { kind: 'invalid_config' } });
    if (!made.ok) expect(made.failure.message).toMatch(/two tools are named "a".*__proto__/);
  });

  test('tells the model only what is permitted and available now', () => {
    let on = false;
    const registry = registryOf(
      named('a'),
      named('b'),
      named('c', () => on),
      named('d', () => {
        throw new Error('no');
      }),
    );
    expect(registry.names()).toEqual(['a', 'b']);
    on = true;
    expect(registry.names()).toEqual(['a', 'b', 'c']);
    expect(registry.declarations({ tools: ['c', 'b', 'x'] }).map((tool) => tool.name)).toEqual(['b', 'c']);
  });

  test('gives a role its part, and refuses a part that is not there with the nearest name', () => {
    const registry = registryOf(named('read_file'), named('write_file'));
    const part = registry.subset(['write_file']);
    expect(part.ok && part.value.names()).toEqual(['write_file']);
    expect(registry.subset(['raed_file'])).toMatchObject({
      ok: false,
      failure: { hint: expect.stringContaining('did you mean read_file') },
    });
  });

  test('grows into a new registry and refuses a name that is taken', () => {
    const registry = registryOf(named('a'));
    const more = registry.with([named('b')]);
    expect(more.ok && more.value.names()).toEqual(['a', 'b']);
    expect(registry.names()).toEqual(['a']);
    expect(registry.with([named('a')]).ok).toBe(false);
  });
});
