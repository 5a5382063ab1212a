import { parseJson } from '@hone/client';

import { prettyJson, preview } from './preview.js';

describe('the preview of a value', () => {
  it('is one line of bounded length', () => {
    expect(preview('a\n\n b')).toBe('a b');
    expect(preview('w'.repeat(10_000))).toHaveLength(301);
    expect(preview({ a: [1, null] })).toBe('{"a":[1,null]}');
    expect([preview(null), preview(undefined), preview(false), preview(0)]).toEqual(['', '', 'false', '0']);
  });
});

describe('a value to read and edit', () => {
  it.each(['{}', '[]', '"a"', '12345678901234567890.10', '{\n  "__proto__": [\n    1,\n    {}\n  ],\n  "b": null\n}'])(
    'of %s keeps keys and digits',
    (text) => {
      expect(prettyJson(parseJson(text))).toBe(text);
    },
  );
});
