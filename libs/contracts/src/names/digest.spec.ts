import { parseJson } from '../json/index.js';
import { bytesDigest, canonicalText, contentDigest, tableDigest } from './digest.js';

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
