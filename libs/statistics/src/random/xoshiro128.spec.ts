import { Xoshiro128 } from './xoshiro128.js';

describe('Xoshiro128', () => {
  it('gives the words of the published algorithm', () => {
    const random = new Xoshiro128(0);
    expect(Array.from({ length: 5 }, () => random.word())).toEqual([
      3809008728, 1133695204, 53579671, 2891528803, 139681546,
    ]);
  });

  it('gives each index the same chance, and none outside', () => {
    const random = new Xoshiro128(3);
    const counts = [0, 0, 0, 0, 0];
    for (let draw = 0; draw < 50_000; draw++) counts[random.below(5)]!++;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50_000);
    // Five standard errors.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(5 * Math.sqrt(8_000));
  });

  it('refuses a seed that is no number', () => {
    expect(() => new Xoshiro128(Number.NaN)).toThrow(new RangeError('seed must be a finite number, got NaN'));
  });
});
