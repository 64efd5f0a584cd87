import { expect, test } from 'vitest';
import { guessObject } from '../../src/parse/guess.js';

test('an object that jsonrepair can mend is guessed', () => {
  expect(guessObject('{"a": 1, "b": callback({"c": 2}) }')).toEqual({ a: 1, b: { c: 2 } });
});

test('a text that was cut is never closed', () => {
  expect(guessObject('{"city": "Ber')).toBeUndefined();
  expect(guessObject('{"a": {"b": 1}, "c": "x')).toBeUndefined();
});

test('what is too long, too deep or no object is left alone', () => {
  expect(guessObject(`{"a": "${'x'.repeat(70_000)}",}`)).toBeUndefined();
  expect(guessObject(`{"a":${'['.repeat(100)}${']'.repeat(100)},}`)).toBeUndefined();
  expect(guessObject('[1, 2,]')).toBeUndefined();
});

test('no prototype is touched', () => {
  guessObject('{"__proto__": {"polluted": true},}');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
