import { describe, expect, it } from 'vitest';
import { regressionRows } from '../../src/app/regression.js';
import { parseReply } from '../../src/parse/reply.js';
import { corpusFiles, rowsOf, toolSets } from '../corpus/load.js';

describe('the rows that come with the package', () => {
  const rows = regressionRows()();
  const own = new Map(corpusFiles.flatMap(rowsOf).map((row) => [row.id, row]));

  it('are a part of the corpus, every format, family and language in it', () => {
    for (const { id, text, finish, calls, tools } of rows) {
      const row = own.get(id);
      expect({ text, finish, calls, tools }).toEqual({
        text: row?.text,
        finish: row?.finish,
        calls: row?.calls,
        tools: toolSets[row?.tools ?? ''],
      });
    }
    const kept = new Set(rows.map(({ id }) => `${own.get(id)?.group} ${own.get(id)?.lang} ${own.get(id)?.expect}`));
    const all = new Set([...own.values()].map(({ group, lang, expect: wanted }) => `${group} ${lang} ${wanted}`));
    expect(kept).toEqual(all);
  });

  it('are read right', () => {
    for (const { text, finish, calls, tools, id } of rows) {
      const reply = parseReply({ text, finishReason: finish, tools });
      expect(
        reply.calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
        id,
      ).toEqual(calls);
    }
  });
});
