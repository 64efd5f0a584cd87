import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/domain/json.js';
import { displayCall, displayJson, displayText } from '../../src/safety/approval.js';

describe('what a person is shown', () => {
  test.each([
    ['\u001b[2K\u001b[1Grm -rf /', '\\u001b[2K\\u001b[1Grm -rf /'],
    ['safe\rrm', 'safe\\u000drm'],
    ['file\u202egpj.exe', 'file\\u202egpj.exe'],
    ['pay\u200bpal', 'pay\\u200bpal'],
    ['a\u2028b', 'a\\u2028b'],
    ['bell\u0007 \u009b31m', 'bell\\u0007 \\u009b31m'],
    ['tag\u{e0041}', 'tag\\udb40\\udc41'],
    ['half \ud800', 'half \\ud800'],
    ['\ufeffbom\u00ad', '\\ufeffbom\\u00ad'],
    ['two\nlines\tand 中文 é 😀', 'two\nlines\tand 中文 é 😀'],
  ])('%j is %j', (given, expected) => {
    expect(displayText(given)).toBe(expected);
  });

  test('of a value is exactly the value, in one order, without anything that deceives', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const shown = displayJson(value as Json);
        expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(displayText(shown)).toBe(shown);
      }),
    );
    const evil = { to: 'ana\u202emoc.live@', cmd: '\u001b[8mhidden', list: ['\r', '\u200f'] };
    for (const mark of ['\u202e', '\u001b', '\r', '\u200f']) expect(displayJson(evil)).not.toContain(mark);
    expect(JSON.parse(displayJson(evil))).toEqual(evil);
    expect(displayJson({ b: 1, a: 2 })).toBe(displayJson({ a: 2, b: 1 }));
    expect(displayCall('pay', { b: '\u001b', a: 1 })).toBe('pay {"a":1,"b":"\\u001b"}');
  });
});
