import { TokenBuckets } from './token-bucket.js';

describe('TokenBuckets', () => {
  it('gives its capacity at once, then one token per interval', () => {
    const buckets = new TokenBuckets(2, 3);
    expect([0, 0, 0].map(() => buckets.take('a', 0))).toEqual([0, 0, 0]);
    expect(buckets.take('a', 0)).toBe(1);
    expect(buckets.take('a', 499)).toBe(1);
    expect(buckets.take('a', 500)).toBe(0);
    expect(buckets.take('a', 500)).toBe(1);
  });

  it('says how many seconds to wait, at least 1', () => {
    const buckets = new TokenBuckets(0.1, 1);
    buckets.take('a', 0);
    expect(buckets.take('a', 0)).toBe(10);
    expect(buckets.take('a', 9_500)).toBe(1);
  });

  it('never holds more than its capacity', () => {
    const buckets = new TokenBuckets(1, 2);
    buckets.take('a', 0);
    const later = 3_600_000;
    expect([1, 2, 3].map(() => buckets.take('a', later))).toEqual([0, 0, 1]);
  });

  it('keeps the keys apart', () => {
    const buckets = new TokenBuckets(1, 1);
    buckets.take('a', 0);
    expect([buckets.take('a', 0), buckets.take('b', 0)]).toEqual([1, 0]);
  });

  it('takes nothing in a check', () => {
    const buckets = new TokenBuckets(1, 1);
    expect([buckets.check('a', 0), buckets.check('a', 0), buckets.take('a', 0), buckets.check('a', 0)]).toEqual([
      0, 0, 0, 1,
    ]);
  });

  it('gives nothing for time that runs backwards', () => {
    const buckets = new TokenBuckets(1, 1);
    buckets.take('a', 10_000);
    expect(buckets.take('a', 0)).toBeGreaterThan(0);
  });
});
