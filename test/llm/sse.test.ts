import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventReader, type StreamItem } from '../../src/llm/sse.js';

function read(...pieces: (string | Uint8Array)[]): StreamItem[] {
  const items: StreamItem[] = [];
  const reader = createEventReader((item) => items.push(item));
  for (const piece of pieces) reader.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  reader.end();
  return items;
}

const value = (v: unknown): StreamItem => ({ done: false, value: v });

describe('server-sent events', () => {
  test.each([
    ['the common form', 'data: {"a":1}\n\ndata: [DONE]\n\n', [value({ a: 1 }), { done: true }]],
    ['CRLF', 'data: {"a":1}\r\n\r\ndata: 2\r\n\r\n', [value({ a: 1 }), value(2)]],
    ['no space after the colon', 'data:{"a":1}\n\n', [value({ a: 1 })]],
    ['comments, names, ids and retries', ': ping\n\nevent: x\nid: 7\nretry: 3\ndata: 1\n\n', [value(1)]],
    ['no blank line between events', 'data: 1\ndata: 2\ndata: [DONE]\n', [value(1), value(2), { done: true }]],
    ['JSON over several data lines', 'data: {"a":\ndata: 1}\n\n', [value({ a: 1 })]],
    ['no newline at the end', 'data: 1', [value(1)]],
    ['nothing', '', []],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('an event is handed over with its blank line, CRLF or not, and not only with the next one', () => {
    for (const end of ['\n', '\r\n']) {
      const items: StreamItem[] = [];
      createEventReader((item) => items.push(item)).push(Buffer.from(`data: 1${end}${end}`));
      expect(items).toEqual([value(1)]);
    }
  });

  test('data that is not JSON is an error that shows it', () => {
    expect(() => read('data: <html>\n\n')).toThrow('not JSON');
  });

  test('any cutting of the bytes gives the same events', () => {
    const text = 'data: {"t":"早上好 🌞"}\n\n: c\ndata: {"b":\r\ndata: [1,2]}\r\n\r\ndata: [DONE]\n\n';
    const bytes = Buffer.from(text);
    const whole = read(text);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
        expect(read(...places.slice(1).map((to, i) => bytes.subarray(places[i], to)))).toEqual(whole);
      }),
    );
  });

  test('a line of 200 KB in pieces of one byte takes linear time', () => {
    const bytes = Buffer.from(`data: "${'x'.repeat(200_000)}"\n\n`);
    const started = performance.now();
    let count = 0;
    const reader = createEventReader(() => {
      count += 1;
    });
    for (let i = 0; i < bytes.length; i++) reader.push(bytes.subarray(i, i + 1));
    reader.end();
    expect(count).toBe(1);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
