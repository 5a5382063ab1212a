import fc from 'fast-check';

import { searchableText, stringifyJson } from './json-text.js';
import { JsonNumber, RawJson, toPlainJson } from './json-value.js';
import { anyJson } from './json-value.fixture.js';
import { parseJson } from './parse-json.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

describe('stringifyJson', () => {
  it('is JSON.stringify for plain values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false } as never), (value) => {
        expect(JSON.parse(stringifyJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('writes what JSON.stringify does not know', () => {
    const value = {
      number: new JsonNumber('1.0'),
      raw: new RawJson('{"kept":1.50}'),
      date: new Date(0),
      big: 12345678901234567890n,
      absent: undefined,
      list: [undefined, Number.NaN],
    };
    expect(stringifyJson(value)).toBe(
      '{"number":1.0,"raw":{"kept":1.50},"date":"1970-01-01T00:00:00.000Z","big":12345678901234567890,"list":[null,null]}',
    );
  });

  it('keeps the order of keys and escapes halves of pairs', () => {
    expect(stringifyJson({ b: 1, a: '\ud800' })).toBe('{"b":1,"a":"\\ud800"}');
  });
});

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

describe('toPlainJson', () => {
  it('gives plain numbers and keeps __proto__ an own key', () => {
    const plain = toPlainJson(parseJson('{"__proto__":[1.0,{"a":1e2}]}')) as object;
    expect(Object.entries(plain)).toEqual([['__proto__', [1, { a: 100 }]]]);
  });
});
