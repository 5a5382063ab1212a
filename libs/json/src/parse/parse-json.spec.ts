import fc from 'fast-check';

import { canonicalJson } from '../values/canonical-json.js';
import { anyJson } from '../values/json-value.fixture.js';
import { JsonNumber, type JsonValue } from '../values/json-value.js';
import { stringifyJson } from '../values/stringify-json.js';
import { JsonParseError } from './json-parse.error.js';
import { parseJson } from './parse-json.js';
import { parseJsonBytes } from './parse-json-bytes.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

function failure(text: string | Uint8Array): { type: string; loc: unknown } {
  try {
    if (typeof text === 'string') parseJson(text);
    else parseJsonBytes(text);
  } catch (error) {
    if (error instanceof JsonParseError) return { type: error.type, loc: error.loc };
    throw error;
  }
  throw new Error('parsed');
}

function typeOf(text: string): string | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return (error as JsonParseError).type;
  }
}

describe('parseJson', () => {
  it('agrees with JSON.parse where that is exact', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', ',', '{', ']', '\\', '\n', '0', 'x'),
        (text, at, put) => {
          const broken = text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1);
          let accepted = true;
          try {
            JSON.parse(broken);
          } catch {
            accepted = false;
          }
          const type = typeOf(broken);
          // A digit put into an exponent may make the number infinite, which JSON.parse does not mind.
          if (type !== 'finite_number') expect(type).toBe(accepted ? undefined : 'json_invalid');
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each(['1.0', '-0', '1e5', '1E+05', '0.10', '12345678901234567890', '1e-400', `${'9'.repeat(4_300)}`])(
    'keeps the text of %s',
    (lexeme) => {
      expect(parseJson(lexeme)).toEqual(new JsonNumber(lexeme));
    },
  );

  it.each([
    ['0', 0],
    ['-1', -1],
    ['0.5', 0.5],
    ['9007199254740991', 9007199254740991],
    ['1e+21', 1e21],
  ])('makes a plain number of %s', (lexeme, number) => {
    expect(parseJson(lexeme)).toBe(number);
  });

  it.each([
    ['1e400', []],
    ['-1e400', []],
    ['9'.repeat(4_301), []],
    [`-${'9'.repeat(4_301)}`, []],
    ['{"a":[0,{"b":1e400}]}', ['a', 1, 'b']],
    ['[[],1e999]', [1]],
  ])('refuses a number beyond all limits, and says where', (text, loc) => {
    expect(failure(text)).toEqual({ type: 'finite_number', loc });
  });

  it.each([
    ['', 0],
    [' ', 1],
    ['{', 1],
    ['[1,]', 3],
    ['{"a":1,}', 7],
    ["{'a':1}", 1],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['tru', 0],
    ['nul', 0],
    ['NaN', 0],
    ['-Infinity', 0],
    ['01', 1],
    ['1.', 1],
    ['.5', 0],
    ['+1', 0],
    ['"\n"', 1],
    ['"\\x"', 1],
    ['"\\u12g4"', 1],
    ['"abc', 4],
    ['{}x', 2],
    ['"é" x', 5],
    ['"😀" x', 7],
    ['\ufeffx', 3],
    ['\ufeff\ufeff1', 3],
    ['\u00a01', 0],
  ])('points at the byte where %j goes wrong', (text, offset) => {
    expect(failure(text)).toEqual({ type: 'json_invalid', loc: [offset] });
  });

  it('skips one byte order mark and the four blanks of JSON', () => {
    expect(parseJson('\ufeff \t\r\n{ "a" : [ 1 , 2 ] } ')).toEqual({ a: [1, 2] });
  });

  it('takes the last of duplicate keys', () => {
    expect(parseJson('{"a":1,"b":2,"a":3}')).toEqual({ a: 3, b: 2 });
  });

  it('treats __proto__ and constructor as ordinary keys', () => {
    const value = parseJson('{"__proto__":{"polluted":true},"constructor":1}') as Record<string, JsonValue>;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(stringifyJson(value)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
  });

  it('reads 512 levels and no more', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(stringifyJson(parseJson(nested(512)))).toBe(nested(512));
    expect(failure(nested(513))).toEqual({ type: 'json_too_deep', loc: [] });
    expect(failure('{"a":'.repeat(513))).toEqual({ type: 'json_too_deep', loc: [] });
    expect(parseJson(`[${'[],'.repeat(1_000)}[]]`)).toHaveLength(1_001);
  });

  it.each(['[', '{"a":', '"\\u', '[[],', '1'])('gives up fast on 100,000 of %s', (part) => {
    // Work, not time, which other processes take, too.
    const before = process.cpuUsage();
    expect(failure(part.repeat(100_000)).type).not.toBe('');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(2);
  });

  it('keeps halves of pairs that are written as escapes', () => {
    expect(parseJson('"\\ud800 \\ud83d\\ude00"')).toBe('\ud800 \ud83d\ude00');
  });
});

describe('parseJsonBytes', () => {
  it('reads UTF-8', () => {
    expect(parseJsonBytes(Buffer.from('{"é":"😀\ufffd"}'))).toEqual({ é: '😀\ufffd' });
  });

  it.each([
    [[0x22, 0xff, 0x22], 1],
    [[0x22, 0x61, 0xc3, 0x28, 0x22], 2],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], 1],
    [[0x22, 0xc0, 0x80, 0x22], 1],
    [[0x22, 0xe2, 0x82], 1],
    [[0x5b, 0x22, 0xef, 0xbf, 0xbd, 0x22, 0x2c, 0x80], 7],
  ])('points at the first byte that is no UTF-8 in %j', (bytes, offset) => {
    expect(failure(Uint8Array.from(bytes))).toEqual({ type: 'json_invalid', loc: [offset] });
  });

  it('keeps the text of every number, and every character', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = stringifyJson(value);
        expect(stringifyJson(parseJsonBytes(Buffer.from(text)))).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the limits of a text', () => {
  it.each([
    ['[[1]]', { maxLevels: 2 }],
    ['[[],{},1.0]', { maxValues: 4 }],
  ])('let %s pass with %j', (text, limits) => {
    expect(() => parseJson(text, limits)).not.toThrow();
  });

  it.each([
    ['[[[1]]]', { maxLevels: 2 }, 'json_too_deep'],
    ['[[],{},1.0]', { maxValues: 3 }, 'too_many'],
  ])('stop %s with %j', (text, limits, type) => {
    expect(() => parseJson(text, limits)).toThrow(expect.objectContaining({ type, loc: [] }));
  });
});

describe('numbers that are none', () => {
  const text = '[NaN, -Infinity,{"a":Infinity}, "NaN"]';

  it('are bad JSON unless they are asked for', () => {
    expect(failure(text)).toEqual({ type: 'json_invalid', loc: [1] });
  });

  it('count for a digest as Python prints them, and are written out as null', () => {
    const value = parseJson(text, { nonFinite: true });
    expect(canonicalJson(value)).toBe('[NaN, -Infinity, {"a": Infinity}, "NaN"]');
    expect(stringifyJson(value)).toBe('[null,null,{"a":null},"NaN"]');
  });

  it.each(['Nan', '-NaN', 'Infinite', '+Infinity', 'NaN1'])('are not %s', (word) => {
    expect(() => parseJson(word, { nonFinite: true })).toThrow(JsonParseError);
  });
});
