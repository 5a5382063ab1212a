import { isUtf8 } from 'node:buffer';

import fc from 'fast-check';

import { endOfPlainString } from './plain-string.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const pieces = fc.array(
  fc.oneof(
    fc
      .constantFrom('"', '\\"', '\\\\', '\\n', '\\u0041', '\\x', '\n', 'a', 'é', '🦊', ' ')
      .map((text) => Buffer.from(text)),
    fc.constantFrom(0x80, 0xc3, 0xff).map((byte) => Buffer.from([byte])),
  ),
  { maxLength: 8 },
);

/** Whether the bytes are the inside of a string of JSON without code points in digits. */
function isPlain(inside: Buffer): boolean {
  const text = inside.toString('latin1');
  if (text.replace(/\\\\/g, '').includes('\\u') || /(^|[^\\])(\\\\)*"/.test(text)) return false;
  try {
    JSON.parse(`"${text}"`);
    return true;
  } catch {
    return false;
  }
}

describe('endOfPlainString', () => {
  it('accepts the strings that a parser accepts, but those with code points in digits', () => {
    fc.assert(
      fc.property(pieces, (list) => {
        const inside = Buffer.concat(list);
        const json = Buffer.concat([Buffer.from('"'), inside, Buffer.from('",1')]);
        const end = inside.length + 1;
        const isEnd = (checksUtf8: boolean) => endOfPlainString(json, 1, checksUtf8) === end;
        expect(isEnd(false)).toBe(isPlain(inside));
        expect(isEnd(true)).toBe(isPlain(inside) && isUtf8(inside));
      }),
      { numRuns: 3_000 },
    );
  });

  it('leaves a string that does not end to a parser', () => {
    expect(endOfPlainString(Buffer.from('"abc\\"'), 1, false)).toBe(-1);
    expect(endOfPlainString(Buffer.from('"abc\\'), 1, false)).toBe(-1);
  });
});
