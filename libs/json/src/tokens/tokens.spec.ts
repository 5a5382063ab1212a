import fc from 'fast-check';

import { anyJson, anyText } from '../values/json-value.fixture.js';
import { stringifyJson } from '../values/stringify-json.js';
import * as bytes from './byte-tokens.js';
import { StringTail } from './string-tail.js';
import * as text from './text-tokens.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

/** What may follow a value. */
const REST = fc.constantFrom('', ',"a"', ':1', ' }', ']"', '\n"\\"');
/** Long enough for a native search. */
const LONG = 'x"\\'.repeat(40);

/** A string of JSON with its quotes, and what follows. */
const quoted = fc
  .tuple(
    fc.oneof(
      anyText,
      anyText.map((some) => some + LONG),
    ),
    REST,
  )
  .map(([content, rest]) => ({ string: JSON.stringify(content), rest }));

describe('the end of a string', () => {
  it('is after its last quote, whatever it escapes and whatever follows', () => {
    fc.assert(
      fc.property(quoted, ({ string, rest }) => {
        expect(text.endOfString(string + rest, 0)).toBe(string.length);
        expect(bytes.endOfString(Buffer.from(string + rest), 0)).toBe(Buffer.byteLength(string));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is none where the string is cut', () => {
    fc.assert(
      fc.property(quoted, fc.nat(), ({ string }, at) => {
        const cut = string.slice(0, 1 + (at % (string.length - 1)));
        expect(text.endOfString(cut, 0)).toBe(-1);
        expect(bytes.endOfString(Buffer.from(cut), 0)).toBe(Buffer.byteLength(cut));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same in pieces, wherever they end', () => {
    fc.assert(
      fc.property(quoted, fc.array(fc.nat(300), { maxLength: 6 }), ({ string, rest }, cuts) => {
        expect(endInPieces(StringTail.ofText(), string + rest, cuts)).toBe(string.length);
        const source = Buffer.from(string + rest);
        expect(endInPieces(StringTail.ofBytes(), source, cuts)).toBe(Buffer.byteLength(string));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the end of a value', () => {
  it('is before what follows it', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom('', ',1', '}', ']', ' ', '\r\n,"'), (value, rest) => {
        const json = stringifyJson(value);
        expect(bytes.endOfValue(Buffer.from(json + rest), 0)).toBe(Buffer.byteLength(json));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['[1,{"a":[]}', '{"a":"}"', '"abc', '12'])('is that of the bytes for %s', (json) => {
    expect(bytes.endOfValue(Buffer.from(json), 0)).toBe(json.length);
  });
});

describe('blanks', () => {
  it('are skipped, and before them the byte order mark in bytes', () => {
    expect(text.skipBlanks(' \t\r\n[', 0)).toBe(4);
    expect(text.skipBlanks('  ', 0)).toBe(2);
    expect(bytes.skipSpace(Buffer.from('\ufeff \t\r\n['), 0)).toBe(7);
    expect(bytes.skipSpace(Buffer.from('  '), 0)).toBe(2);
  });
});

/** Offset after the string that begins the source, which is read in pieces. */
function endInPieces<Source extends string | Buffer>(
  tail: StringTail<Source extends string ? string : Uint8Array>,
  source: Source,
  cuts: readonly number[],
): number {
  const ends = [...cuts.filter((cut) => cut > 1 && cut < source.length).sort((a, b) => a - b), source.length];
  tail.isInside = true;
  let start = 1;
  for (const end of ends) {
    const at = tail.skip(source.slice(start, end) as never, 0);
    if (!tail.isInside) return start + at;
    start = end;
  }
  return -1;
}
