import { incompleteBeta } from './beta.js';
import { binomialCdf } from './binomial.js';
import { stirlingError } from './log-gamma.js';
import { normalCdf, normalQuantile } from './normal.js';
import { studentTCdf, studentTQuantile, studentTSurvival } from './student-t.js';

/** The relative distance of two numbers. */
const gap = (value: number, expected: number): number => Math.abs(value / expected - 1);

describe('the normal distribution', () => {
  it.each([
    [0.975, 1.9599639845400545],
    [0.5, 0],
    [0.1, -1.2815515655446004],
    [1e-10, -6.361340902404056],
  ])('has its quantile of %d', (share, z) => {
    expect(Math.abs(normalQuantile(share) - z)).toBeLessThan(1e-13);
  });

  it.each([-37, -8, -4, -1.2, -0.3, 0.1, 0.6, 3, 7.5])('has a quantile that undoes its cdf at %d', (z) => {
    const share = normalCdf(z);
    // Above 1 - 2^-53 a share has no digits left.
    if (share < 1 - 1e-12) expect(gap(normalQuantile(share), z)).toBeLessThan(1e-12 / Math.min(1 - share, 1));
    expect(normalCdf(z) + normalCdf(-z)).toBeCloseTo(1, 15);
  });

  it('refuses shares that have no quantile', () => {
    for (const share of [0, 1, -0.1, Number.NaN]) expect(() => normalQuantile(share)).toThrow(RangeError);
  });
});

describe("Student's distribution", () => {
  it('is the Cauchy distribution at one degree of freedom', () => {
    for (const share of [1e-6, 0.2, 0.6, 0.975]) {
      expect(gap(studentTQuantile(share, 1), Math.tan(Math.PI * (share - 0.5)))).toBeLessThan(1e-10);
    }
  });

  it('has the closed form of two degrees of freedom', () => {
    for (const t of [-30, -1, -0.01, 0.5, 12]) {
      expect(gap(studentTCdf(t, 2), 0.5 + t / (2 * Math.sqrt(2 + t * t)))).toBeLessThan(1e-12);
    }
  });

  it.each([0.3, 3, 49, 12.5, 1e4, 1e7])('has a quantile that undoes its cdf at %d degrees of freedom', (degrees) => {
    for (const share of [1e-9, 0.025, 0.4999999, 0.51, 0.9, 0.999]) {
      expect(gap(studentTCdf(studentTQuantile(share, degrees), degrees), share)).toBeLessThan(1e-12);
    }
  });

  it('becomes the normal distribution', () => {
    expect(Math.abs(studentTQuantile(0.975, 1e9) - normalQuantile(0.975))).toBeLessThan(1e-8);
  });

  it('reaches far into its tail', () => {
    // The tail is 6 √3 / (π t³) there.
    expect(gap(studentTQuantile(1e-300, 3), -Math.cbrt((2 * Math.sqrt(3)) / Math.PI) * 1e100)).toBeLessThan(1e-9);
    expect(studentTQuantile(1e-9, 0.01)).toBe(-Infinity);
  });

  it('ends at infinity', () => {
    expect(studentTSurvival(Infinity, 5)).toBe(0);
    expect(studentTSurvival(-Infinity, 5)).toBe(1);
    expect(studentTSurvival(0, 5)).toBe(0.5);
    expect(studentTQuantile(0.5, 5)).toBe(0);
  });

  it('refuses degrees that are not positive, and shares that have no quantile', () => {
    for (const degrees of [0, -1, Number.NaN, Infinity]) expect(() => studentTSurvival(1, degrees)).toThrow(RangeError);
    for (const share of [0, 1]) expect(() => studentTQuantile(share, 5)).toThrow(RangeError);
    expect(() => studentTSurvival(Number.NaN, 5)).toThrow(RangeError);
  });
});

describe('the binomial distribution', () => {
  it('adds up the coefficients of fair trials', () => {
    expect(gap(binomialCdf(2, 12, 0.5), 79 / 4096)).toBeLessThan(1e-14);
    expect(gap(binomialCdf(480, 1000, 0.5), 0.10872414660207047)).toBeLessThan(1e-13);
  });

  it('has both tails, and ends', () => {
    for (const successes of [0, 3, 7, 11]) {
      const sum = binomialCdf(successes, 12, 0.3) + binomialCdf(12 - successes - 1, 12, 0.7);
      expect(sum).toBeCloseTo(1, 13);
    }
    expect(binomialCdf(12, 12, 0.3)).toBe(1);
    expect(binomialCdf(0, 12, 0)).toBe(1);
    expect(binomialCdf(11, 12, 1)).toBe(0);
  });

  it('refuses counts and chances out of their range', () => {
    for (const [successes, trials, chance] of [
      [3, 2, 0.5],
      [-1, 2, 0.5],
      [0.5, 2, 0.5],
      [1, 2, 1.1],
    ] as const) {
      expect(() => binomialCdf(successes, trials, chance)).toThrow(RangeError);
    }
  });
});

describe('the functions below them', () => {
  it("have Stirling's error of factorials, on both sides of the series", () => {
    for (const n of [1, 5, 16, 17, 20]) {
      const factorial = Array.from({ length: n }, (_entry, at) => at + 1).reduce((product, at) => product * at, 1);
      const stirling = (n + 0.5) * Math.log(n) - n + Math.log(2 * Math.PI) / 2;
      expect(Math.abs(stirlingError(n) - (Math.log(factorial) - stirling))).toBeLessThan(2e-14);
    }
  });

  it('have the incomplete beta function of whole parameters as a binomial sum', () => {
    expect(gap(incompleteBeta(3, 10, 0.3, 0.7), 1 - binomialCdf(2, 12, 0.3))).toBeLessThan(1e-13);
    expect(incompleteBeta(3, 10, 0, 1)).toBe(0);
    expect(incompleteBeta(3, 10, 1, 0)).toBe(1);
  });
});
