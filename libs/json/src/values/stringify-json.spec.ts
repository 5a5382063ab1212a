import fc from 'fast-check';

import { JsonNumber, RawJson } from './json-value.js';
import { stringifyJson } from './stringify-json.js';

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
