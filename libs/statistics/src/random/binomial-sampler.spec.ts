import { binomialCdf } from '../distributions/binomial.js';
import { drawBinomial } from './binomial-sampler.js';
import { Xoshiro128 } from './xoshiro128.js';

const DRAWS = 40_000;

describe('drawBinomial', () => {
  it.each([
    [1, 0.3],
    [12, 0.5],
    [40, 0.1],
    [40, 0.9],
    [200, 0.049],
    [200, 0.05],
    [10_000, 0.0002],
    [10_000, 0.37],
    [10_000, 0.995],
  ])('of %i trials at %d has the binomial distribution', (trials, chance) => {
    const random = new Xoshiro128(17);
    const drawn = Array.from({ length: DRAWS }, () => drawBinomial(random, trials, chance)).sort((a, b) => a - b);
    expect(drawn[0]).toBeGreaterThanOrEqual(0);
    expect(drawn.at(-1)).toBeLessThanOrEqual(trials);
    // Kolmogorov and Smirnov's distance; a discrete distribution stays below the limit of a continuous one, here of 0.1 %.
    const limit = 1.95 / Math.sqrt(DRAWS);
    for (let at = 0; at < DRAWS; at++) {
      if (drawn[at] === drawn[at + 1]) continue;
      const expected = binomialCdf(drawn[at] as number, trials, chance);
      expect(Math.abs((at + 1) / DRAWS - expected)).toBeLessThan(limit);
    }
  });

  it('is certain where nothing is left to chance', () => {
    const random = new Xoshiro128(1);
    expect([drawBinomial(random, 0, 0.5), drawBinomial(random, 7, 0), drawBinomial(random, 7, 1)]).toEqual([0, 0, 7]);
  });
});
