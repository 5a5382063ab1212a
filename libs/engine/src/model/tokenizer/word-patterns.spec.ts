import { GPT2_WORDS, haveUnknownPattern } from './word-patterns.js';

describe('haveUnknownPattern', () => {
  const split = (Regex: string) => ({ type: 'Split', pattern: { Regex } });

  it('finds a pattern behind a million others', () => {
    const known = Array.from({ length: 1_000_000 }, () => split(GPT2_WORDS));
    expect(haveUnknownPattern(null, { pretokenizers: known })).toBe(false);
    expect(haveUnknownPattern(null, { pretokenizers: [split('(a+)+$'), ...known] })).toBe(true);
  });
});
