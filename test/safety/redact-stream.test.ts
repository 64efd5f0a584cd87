import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/safety/redact.js';
import { createRedactingStream } from '../../src/safety/redact-stream.js';

import { labelledRows } from './labelled.js';

const redactor = createRedactor();

function streamed(text: string, sizes: readonly number[]): string {
  const stream = createRedactingStream(redactor);
  let out = '';
  let at = 0;
  for (let i = 0; at < text.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    out += stream.push(text.slice(at, at + size));
    at += size;
  }
  return out + stream.end();
}

const piece = fc.constantFrom(
  'ana@example.com',
  '13812345678',
  '138 1234 5678',
  '+44 20 7946 0958',
  '4111 1111 1111 1111',
  'phone: 5551234567',
  'Bearer abc123DEF456ghi789',
  'password is Hunter2!',
  `sk-${'proj-'}abcDEF1234567890abcDEF1234567890`,
  `-----BEGIN ${'PRIVATE KEY'}-----\n${'MIIabc/def\n'.repeat(30)}-----END PRIVATE KEY-----`,
  '身份证11010519491231002X',
  'DE89 3704 0044 0532 0130 00',
  'a plain sentence with words',
  '中文句子,没有什么。',
  '12345 rows in 2026-11-29',
  '\n',
);

describe('a redacting stream', () => {
  test('gives what the whole text gives, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(piece, fc.constantFrom(' ', '\n', ', ', ' - ', '。', ' and then the ')), {
          minLength: 1,
          maxLength: 20,
        }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        (parts, sizes) => {
          const text = parts.map(([one, gap]) => one + gap).join('');
          expect(streamed(text, sizes)).toBe(redactor.text(text));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('gives the same for every cut within every labelled text', () => {
    const [before, after] = ['Some words come first, and '.repeat(8), ' and then some more follow.'];
    for (const { text } of labelledRows()) {
      const whole = redactor.text(before + text + after);
      for (let cut = before.length; cut <= before.length + text.length; cut += 1) {
        const stream = createRedactingStream(redactor);
        const given = before + text + after;
        expect(stream.push(given.slice(0, cut)) + stream.push(given.slice(cut)) + stream.end()).toBe(whole);
      }
    }
  });

  test('shows text soon', () => {
    const stream = createRedactingStream(redactor);
    let shown = '';
    for (let i = 0; i < 100; i += 1) shown += stream.push('some words of an answer ');
    expect(shown.length).toBeGreaterThan(2000);
  });

  test('holds a limited amount, and a key longer than that does not leak', () => {
    const stream = createRedactingStream(redactor);
    let out = '';
    for (let i = 0; i < 50; i += 1) out += stream.push('x'.repeat(10_000));
    expect(out.length).toBeGreaterThan(400_000);
    const key = createRedactingStream(redactor);
    let shown = key.push(`before -----BEGIN ${'PRIVATE KEY'}-----\n`);
    for (let i = 0; i < 50; i += 1) shown += key.push('SECRETKEYMATERIAL\n'.repeat(200));
    shown += key.push('-----END PRIV');
    shown += key.push('ATE KEY----- after');
    shown += key.end();
    expect(shown).toBe('before [private-key] after');
  });
});
