import fc from 'fast-check';

import { scanJson } from './scan-json.js';

const scan = (json: string) => scanJson(Buffer.from(json));

describe('scanJson', () => {
  it('counts brackets and sees line breaks', () => {
    expect(scan('{"a":[{}, 1]}')).toEqual({ hasLineBreaks: false, isSpecial: false, brackets: 3 });
    expect(scan('{\r\n}')).toEqual({ hasLineBreaks: true, isSpecial: false, brackets: 1 });
    expect(scan('{"{[\\"[":"[["}')).toEqual({ hasLineBreaks: false, isSpecial: false, brackets: 1 });
    expect(scan('')).toEqual({ hasLineBreaks: false, isSpecial: false, brackets: 0 });
  });

  it.each(['"hone:///a/b/call/c"', '"\\u0000"', '1e400', '1E-999', '2.5e+123', '9'.repeat(1_000), '"🦊\\ud800"'])(
    'sees what must be parsed in %s',
    (json) => expect(scan(`{"a":${json},"b":1}`).isSpecial).toBe(true),
  );

  it('finds the end of texts of any length and any escapes', () => {
    const pieces = fc.array(fc.constantFrom('a', '"', '\\', '{', '[', '1e999', '\n', 'x'.repeat(40)), {
      maxLength: 12,
    });
    const check = (texts: string[]) => {
      const value = Object.fromEntries(texts.map((text, at) => [`${at}${text}`, [text]]));
      const brackets = 1 + texts.length;
      expect(scan(JSON.stringify(value))).toEqual({ hasLineBreaks: false, isSpecial: false, brackets });
    };
    fc.assert(
      fc.property(
        fc.array(
          pieces.map((list) => list.join('')),
          { maxLength: 4 },
        ),
        check,
      ),
      { seed: 1 },
    );
  });

  it.each([
    '"https://a/b"',
    '"\\n"',
    '1e40',
    '1E-9',
    '"e12"',
    '"abe-700d"',
    '"chatcmpl-019a-4e123-9E+400"',
    `"${'9'.repeat(1_000)}"`,
    '"a \\"{[\\\\"',
    '9'.repeat(999),
    '[1,22,333]',
    '"ümlaut: é//"',
  ])('sees nothing special in %s', (json) => expect(scan(`{"a":${json},"b":1}`).isSpecial).toBe(false));
});
