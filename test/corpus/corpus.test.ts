import { describe, expect, it } from 'vitest';
import { parseReply, type Reply } from '../../src/parse/reply.js';
import { createReplyStream } from '../../src/parse/stream.js';
import { type CorpusRow, corpusFiles, rowsOf, toolSets } from './load.js';

const parse = (row: CorpusRow): Reply =>
  parseReply({ text: row.text, finishReason: row.finish, tools: toolSets[row.tools] ?? [] });
const plain = (calls: readonly { name: string; arguments: unknown }[]) =>
  calls.map(({ name, arguments: args }) => ({ name, arguments: args }));

describe.each(corpusFiles)('the corpus of %s', (name) => {
  const rows = rowsOf(name);

  it('runs exactly the calls that were meant', () => {
    const wrong = rows.flatMap((row) => {
      const got = plain(parse(row).calls);
      return JSON.stringify(got) === JSON.stringify(row.calls) ? [] : [{ id: row.id, got, wanted: row.calls }];
    });
    expect(wrong).toEqual([]);
  });

  it('reports cut calls as incomplete and taken-back calls as superseded', () => {
    for (const row of rows) {
      const reply = parse(row);
      if (row.expect === 'incomplete') expect(reply.incomplete, row.id).not.toEqual([]);
      if (row.superseded !== undefined) expect(plain(reply.superseded), row.id).toEqual(row.superseded);
    }
  });

  it('keeps the prose and shows no markup', () => {
    for (const row of rows) {
      if (row.content === undefined) continue;
      const { content } = parse(row);
      for (const part of row.content.includes) expect(content, row.id).toContain(part);
      for (const part of row.content.excludes) expect(content, row.id).not.toContain(part);
    }
  });
});

describe('a corpus of both languages and every format', () => {
  it('has at least 600 rows', () => {
    const rows = corpusFiles.flatMap(rowsOf);
    expect(rows.length).toBeGreaterThanOrEqual(600);
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
    expect(rows.filter((row) => row.lang === 'zh').length).toBeGreaterThan(200);
    expect(rows.filter((row) => row.expect === 'none').length).toBeGreaterThan(80);
  });
});

describe('a reply in pieces', () => {
  it('means the same for every cut', () => {
    for (const row of corpusFiles.flatMap(rowsOf).filter((_, i) => i % 9 === 0)) {
      const whole = JSON.stringify(parse(row));
      const tools = toolSets[row.tools] ?? [];
      for (let size = 1; size < 8; size += 3) {
        const stream = createReplyStream({ tools });
        for (let at = 0; at < row.text.length; at += size) stream.push(row.text.slice(at, at + size));
        expect(JSON.stringify(stream.end(row.finish)), row.id).toBe(whole);
      }
    }
  });

  it('shows every character once and in order while it arrives', () => {
    for (const row of corpusFiles.flatMap(rowsOf).filter((_, i) => i % 9 === 0)) {
      const stream = createReplyStream({ tools: [] });
      let shown = '';
      for (let at = 0; at < row.text.length; at += 4) {
        for (const event of stream.push(row.text.slice(at, at + 4))) {
          expect(event.position).toBe(shown.length);
          shown += event.text;
        }
        expect(Math.min(at + 4, row.text.length) - shown.length).toBeLessThanOrEqual(48);
      }
      expect(row.text.startsWith(shown)).toBe(true);
    }
  });

  it('never runs a call that the cut left unfinished', { timeout: 60_000 }, () => {
    for (const row of rowsOf('formats').filter((r) => r.id.endsWith('-0'))) {
      const tools = toolSets[row.tools] ?? [];
      const right = row.calls.map((call) => JSON.stringify(plain([call as never])[0]));
      for (let at = 1; at < row.text.length; at += 2) {
        for (const call of parseReply({ text: row.text.slice(0, at), finishReason: 'length', tools }).calls) {
          expect(right, `${row.id} cut at ${at}`).toContain(
            JSON.stringify({ name: call.name, arguments: call.arguments }),
          );
        }
      }
    }
  });
});
