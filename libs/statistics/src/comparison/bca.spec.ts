import { bcaInterval, bootstrapMean } from './bca.js';

const SKEWED = [0, 0, 0, 1, 0, 0, 8, 0, 2, 0, 1, 0];

describe('bootstrapMean', () => {
  it('gives the same interval for the same seed', () => {
    const once = bootstrapMean(SKEWED, { seed: 5, resamples: 2_000 });
    expect(bootstrapMean(SKEWED, { seed: 5, resamples: 2_000 })).toEqual(once);
    expect(bootstrapMean(SKEWED, { seed: 6, resamples: 2_000 })).not.toEqual(once);
    expect(once).toMatchObject({ estimate: 1, level: 0.95, method: 'bca' });
  });

  it('draws few different values by how often they come, with the same interval', () => {
    const [ties, tiny] = [Array.from({ length: 600 }, (_none, at) => [0, 0, 1, -1, 1, 3][at % 6] as number), 1e-9];
    const grouped = bootstrapMean(ties);
    const plain = bootstrapMean(ties.map((value, at) => value + at * tiny));
    // Ends of 10,000 resamples differ by a few of their standard errors.
    expect(Math.abs(grouped.low - plain.low)).toBeLessThan(0.01);
    expect(Math.abs(grouped.high - plain.high)).toBeLessThan(0.01);
    expect(grouped.high - grouped.low).toBeGreaterThan(0.1);
    expect(bootstrapMean(ties)).toEqual(grouped);
  });

  it('reaches further on the side of the long tail', () => {
    const { low, high, estimate } = bootstrapMean(SKEWED);
    expect(high - estimate).toBeGreaterThan(1.5 * (estimate - low));
  });

  it('grows with the level', () => {
    const [narrow, wide] = [0.8, 0.99].map((level) => bootstrapMean(SKEWED, { level, resamples: 2_000 }));
    expect(wide!.high).toBeGreaterThan(narrow!.high);
    expect(wide!.low).toBeLessThan(narrow!.low);
  });

  it('is a point of equal values, also where rounding tells them apart', () => {
    expect(bootstrapMean([2, 2, 2])).toMatchObject({ estimate: 2, low: 2, high: 2, method: 'constant' });
    expect(bootstrapMean([0.3 - 0.2, 0.2 - 0.1]).method).toBe('constant');
  });

  it('refuses too few values or resamples', () => {
    expect(() => bootstrapMean([1])).toThrow(RangeError);
    expect(() => bootstrapMean([1, Infinity])).toThrow(RangeError);
    expect(() => bootstrapMean([1, 2], { resamples: 1 })).toThrow(RangeError);
    expect(() => bootstrapMean([1, 2], { level: 0 })).toThrow(RangeError);
    expect(() => bootstrapMean([1, 2], { seed: Number.NaN })).toThrow(RangeError);
  });
});

describe('bcaInterval', () => {
  it('is the percentile interval where all means lie on one side', () => {
    const { method, low, high } = bcaInterval([1, 2, 3], [2.5, 2.75, 3, 3.25, 3.5], 0.5);
    expect(method).toBe('percentile');
    expect([low, high]).toEqual([2.75, 3.25]);
  });

  it('is the percentile interval of symmetric values and means', () => {
    const { method, low, high } = bcaInterval([1, 2, 3], [1, 1.5, 2, 2.5, 3], 0.5);
    expect(method).toBe('bca');
    expect(low).toBeCloseTo(1.5, 12);
    expect(high).toBeCloseTo(2.5, 12);
  });

  it('counts a mean that ties but for rounding half', () => {
    const exact = bcaInterval([1, 2, 3], [1.25, 1.5, 2, 2.5, 3, 2], 0.5);
    const rounded = bcaInterval([1, 2, 3], [1.25, 1.5, 2 + 1e-15, 2.5, 3, 2 - 1e-15], 0.5);
    expect(rounded.low).toBeCloseTo(exact.low, 12);
    expect(rounded.high).toBeCloseTo(exact.high, 12);
  });
});
