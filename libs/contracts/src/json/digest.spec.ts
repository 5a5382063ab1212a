import fc from 'fast-check';

import { byCodePoint, bytesDigest, canonicalText, contentDigest, tableDigest } from './digest.js';
import { parseJson } from './parse-json.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

describe('contentDigest', () => {
  it.each([
    ['{"b":1.0,"a":"é"}', '{"a": "\\u00e9", "b": 1.0}', 'fnvNOfMXzDB9fqOQX26F0PQHvU4QxUh1cxEdfDA4dus'],
    [
      '{"n":12345678901234567890,"x":1e-5,"y":1E3,"z":-0.0,"i":-0}',
      '{"i": 0, "n": 12345678901234567890, "x": 1e-05, "y": 1000.0, "z": -0.0}',
      '4grI6X4AxUYKCenvhqVyZb1v5zfvXEmzVS5gcwiDOqE',
    ],
    [
      '{"\\ue000":1,"\\ud83d\\ude00":2}',
      '{"\\ue000": 1, "\\ud83d\\ude00": 2}',
      'Tix6N1KmRIKVjzlq9LQuAbhaZN9Hg5eeQ1a1Yz4UQcs',
    ],
    [
      '{"dataset":"hone:///acme/demo/object/ds:abc"}',
      '{"dataset": "hone:///acme/demo/object/ds:abc"}',
      'js6N4Y0yEf6fT8wXIxJNiM1BQRquL0HiMoYI0LNIXXM',
    ],
    ['{}', '{}', 'RBNvo1WzZ4oRRq0W9XhknpT7T8If536DEMBg9hyqY4o'],
    ['[]', '[]', 'T1PNoYwrqgwDVLtfmj7L5e0Sq02OEbqHPC8RFhICuUU'],
    ['null', 'null', 'dCNOmKYnSYX12vHzasLXiswzlGT5UHA7jAGYkvmCuQs'],
    ['{"q":"2+2","a":"4"}', '{"a": "4", "q": "2+2"}', '0S9DGT9WaTh3NmpAYXd7YBefvlTW2psFGfzNGj9yHu8'],
    ['{"q":"3+3","a":"6"}', '{"a": "6", "q": "3+3"}', 'cLtlLSZHvRKmo33iX2i7lCpYq4t2CxxdGOIQXFJfU2A'],
  ])('of %s', (input, text, digest) => {
    const value = parseJson(input);
    expect(canonicalText(value)).toBe(text);
    expect(contentDigest(value)).toBe(digest);
  });

  it('does not depend on the scheme of the server, and leaves keys and other schemes alone', () => {
    const value = (scheme: string) => parseJson(`{"dataset":"${scheme}:///acme/demo/object/ds:abc"}`);
    expect(contentDigest(value('x-y'), 'x-y')).toBe(contentDigest(value('hone')));
    expect(contentDigest(value('x-y'))).not.toBe(contentDigest(value('hone')));
    expect(canonicalText({ 'hone:///a/b/c': 'hone:///a/b' }, 'hone')).toBe('{"hone:///a/b/c": "hone:///a/b"}');
    expect(canonicalText('hone:///acme/demo/call/c1', 'hone')).toBe('"weave-trace-internal:///YWNtZS9kZW1v/call/c1"');
  });

  it('of a table and of a file', () => {
    const rows = ['0S9DGT9WaTh3NmpAYXd7YBefvlTW2psFGfzNGj9yHu8', 'cLtlLSZHvRKmo33iX2i7lCpYq4t2CxxdGOIQXFJfU2A'];
    expect(tableDigest(rows)).toBe('fc6a23ec9ef074d6b400e62c4e28cdc8ecc81b7119383cfc02e605e83d23a334');
    expect(bytesDigest(Buffer.from('class Model:\n    pass\n'))).toBe('JIeVpHJwirHfsDfYYbLsu0kt7bGf4nhMQGIOagUDKw4');
  });
});

describe('canonicalText', () => {
  it.each([
    ['1e-4', '0.0001'],
    ['0.00009', '9e-05'],
    ['1e15', '1000000000000000.0'],
    ['1e16', '1e+16'],
    ['1.5e300', '1.5e+300'],
    ['123456789.50', '123456789.5'],
    ['5e-324', '5e-324'],
    ['0e0', '0.0'],
    ['-0.0', '-0.0'],
    ['-0', '0'],
    ['1e23', '1e+23'],
  ])('writes %s as %s', (lexeme, text) => {
    expect(canonicalText(parseJson(lexeme))).toBe(text);
  });

  it('escapes what is outside printable ASCII, in lower case', () => {
    expect(canonicalText('"\\/\n\r\t\f\b\u0000\u007fé\u2028\ud83d\ude00\ud800')).toBe(
      '"\\"\\\\/\\n\\r\\t\\f\\b\\u0000\\u007f\\u00e9\\u2028\\ud83d\\ude00\\ud800"',
    );
  });
});

describe('byCodePoint', () => {
  it('is the order of code points, halves of pairs included', () => {
    const text = fc.array(fc.constantFrom('a', '\ud83d', '\ude00', '\ude01', '\ue000', '\ud83d\ude00', '\uffff'), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const [a, b] = [left.join(''), right.join('')];
        expect(Math.sign(byCodePoint(a, b))).toBe(Math.sign(compare([...a], [...b])));
      }),
      { numRuns: 2_000 },
    );
  });
});

function compare(a: string[], b: string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i]?.codePointAt(0) as number) - (b[i]?.codePointAt(0) as number);
    if (difference) return difference;
  }
  return a.length - b.length;
}
