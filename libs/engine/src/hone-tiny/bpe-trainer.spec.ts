import { trainBytePairs } from './bpe-trainer.js';

const mergesOf = (texts: string[], count: number) => trainBytePairs(texts, count).merges.map((pair) => pair.join('+'));

describe('trainBytePairs', () => {
  it('joins the most frequent pair, then counts again with what it has joined', () => {
    // aa: 4 (2 in each word), ab: 2; then aa+a: 2, aa+ab.. : the remaining pairs are aa+a and a+b, 2 each.
    expect(mergesOf(['aaab', 'aaab'], 3)).toEqual(['a+a', 'a+b', 'aa+ab']);
  });

  it('takes the pair that sorts first of equally frequent ones', () => {
    expect(mergesOf(['xy', 'ab'], 2)).toEqual(['a+b', 'x+y']);
  });

  it('never joins across words, and keeps the blank before a word with it', () => {
    expect(mergesOf(['a b', 'a b', 'a b'], 9)).toEqual(['Ġ+b']);
  });

  it('leaves every digit alone', () => {
    expect(mergesOf(['123 123 123'], 9)).toEqual([]);
  });

  it('knows all bytes without having seen them', () => {
    expect(new Set(trainBytePairs([], 0).alphabet).size).toBe(256);
  });

  it('cuts a character of several bytes into bytes', () => {
    expect(mergesOf(['é', 'é'], 1)).toEqual(['Ã+©']);
  });
});
