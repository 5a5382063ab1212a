import fc from 'fast-check';

import { anyJson } from '../values/json-value.fixture.js';
import { stringifyJson } from '../values/stringify-json.js';
import { ValueTail } from './value-tail.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

/** Length of the value that begins the text, which arrives in pieces of so many characters; -1: it does not end. */
function lengthOf(text: string, size: number): number {
  const value = new ValueTail();
  for (let at = 0; at < text.length; at += size) {
    const end = value.skip(text.slice(at, at + size));
    if (end >= 0) return at + end;
  }
  return -1;
}

describe('ValueTail', () => {
  it('ends where the value ends, whatever its kind and however its text is cut', () => {
    const rest = fc.constantFrom(' ', ',"a"', '}', ']}', '\n');
    fc.assert(
      fc.property(anyJson, rest, fc.integer({ min: 1, max: 9 }), (value, after, size) => {
        const json = stringifyJson(value);
        expect(lengthOf(json + after, size)).toBe(json.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['12', 'null', '"a', '"a\\"', '{"a":1', '[[]'])('does not end with %s', (text) => {
    expect(lengthOf(text, 1)).toBe(-1);
    expect(lengthOf(text, text.length)).toBe(-1);
  });
});
