import fc from 'fast-check';

import { parseJson } from '../parse/parse-json.js';
import { byCodePoint, canonicalJson } from './canonical-json.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

describe('canonicalJson', () => {
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
    expect(canonicalJson(parseJson(lexeme))).toBe(text);
  });

  it('escapes what is outside printable ASCII, in lower case', () => {
    expect(canonicalJson('"\\/\n\r\t\f\b\u0000\u007fé\u2028\ud83d\ude00\ud800')).toBe(
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
