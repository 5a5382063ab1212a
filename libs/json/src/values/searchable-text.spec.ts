import fc from 'fast-check';

import { parseJson } from '../parse/parse-json.js';
import { anyJson } from './json-value.fixture.js';
import { searchableText } from './searchable-text.js';
import { stringifyJson } from './stringify-json.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

describe('searchableText', () => {
  const searchable = (text: string) => searchableText(parseJson(text), stringifyJson(parseJson(text)));

  it('leaves what jsonb takes as it is', () => {
    const text = '{"a":[1.0,"é😀\\n",12345678901234567890,1e99]}';
    expect(searchable(text)).toBe(text);
  });

  it('replaces characters that jsonb does not take, in keys too', () => {
    expect(searchable('{"a\\u0000":"\\ud800x\\udc00 \\ud83d\\ude00"}')).toBe('{"a\ufffd":"\ufffdx\ufffd 😀"}');
  });

  it('turns numbers that jsonb does not take into null', () => {
    expect(searchable('[1e-20000,1e308,2]')).toBe('[null,1e308,2]');
    expect(searchable(`{"a":{"b":0.${'1'.repeat(10_000)}},"c":"1e-20000"}`)).toBe('{"a":{"b":null},"c":"1e-20000"}');
  });

  it('leaves neither U+0000 nor half a pair, whatever the value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = searchableText(value, stringifyJson(value));
        expect(() => parseJson(text)).not.toThrow();
        expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89ab]|d[c-f])/i);
      }),
      { numRuns: 500 },
    );
  });
});
