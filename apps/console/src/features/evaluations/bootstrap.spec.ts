import { bootstrapMean } from './bootstrap.js';

/** Values with a known mean and standard deviation: 0 and 1 in the given shares. */
const coins = (ones: number, zeros: number) => [...Array<number>(ones).fill(1), ...Array<number>(zeros).fill(0)];

describe('the bootstrap interval of a mean', () => {
  it('is about the mean, plus and minus 1.96 standard errors', () => {
    const interval = bootstrapMean(coins(60, 140));
    const error = Math.sqrt((0.3 * 0.7) / 200);
    expect(interval?.mean).toBeCloseTo(0.3, 10);
    expect(interval?.low).toBeCloseTo(0.3 - 1.96 * error, 1);
    expect(interval?.high).toBeCloseTo(0.3 + 1.96 * error, 1);
    expect(Math.abs((interval?.high ?? 0) - (interval?.low ?? 0) - 2 * 1.96 * error)).toBeLessThan(0.02);
  });

  it('narrows with the root of the number of values', () => {
    const width = (factor: number) => {
      const { low = 0, high = 0 } = bootstrapMean(coins(30 * factor, 70 * factor)) ?? {};
      return high - low;
    };
    expect(width(1) / width(16)).toBeGreaterThan(3.4);
    expect(width(1) / width(16)).toBeLessThan(4.6);
  });

  it('is the same each time', () => {
    expect(bootstrapMean(coins(3, 9))).toEqual(bootstrapMean(coins(3, 9)));
  });

  it('is the value itself where all are equal, and none of none', () => {
    expect(bootstrapMean([0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5, count: 2 });
    expect(bootstrapMean([])).toBeNull();
  });

  it('of paired differences does not contain 0 where one run is always better', () => {
    const differences = Array.from({ length: 40 }, (_, index) => 0.05 + (index % 7) / 100);
    expect(bootstrapMean(differences)?.low).toBeGreaterThan(0);
  });
});
