import { comparePairs } from './compare-pairs.js';
import { holmAdjust } from './holm.js';
import { mcnemarExact } from './mcnemar.js';
import { nonInferiority } from './non-inferiority.js';
import { wilcoxonSignedRank } from './wilcoxon.js';

/** Darwin's plants, cross- and self-fertilized, in eighths of an inch: the example of SciPy's documentation. */
const PLANTS = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75];

describe('mcnemarExact', () => {
  it('is twice the smaller tail', () => {
    expect(mcnemarExact(10, 2)).toBeCloseTo(158 / 4096, 14);
    expect(mcnemarExact(2, 10)).toBe(mcnemarExact(10, 2));
  });

  it('is 1 of equal counts, and of none', () => {
    expect(mcnemarExact(7, 7)).toBe(1);
    expect(mcnemarExact(0, 0)).toBe(1);
  });

  it('refuses what is no count', () => {
    expect(() => mcnemarExact(-1, 2)).toThrow(RangeError);
    expect(() => mcnemarExact(1, 2.5)).toThrow(RangeError);
  });
});

describe('wilcoxonSignedRank', () => {
  it('has the documented p-value of few differences without ties', () => {
    const { pValue, statistic, method, nonZero } = wilcoxonSignedRank(PLANTS);
    expect(pValue).toBeCloseTo(0.041259765625, 14);
    expect(statistic).toBe(96);
    expect(method).toBe('exact');
    expect(nonZero).toBe(15);
  });

  it('drops zeros, and approximates with ties or many differences', () => {
    expect(wilcoxonSignedRank([...PLANTS, 0, 0])).toEqual(wilcoxonSignedRank(PLANTS));
    expect(wilcoxonSignedRank([...PLANTS, 75]).method).toBe('asymptotic');
    expect(wilcoxonSignedRank(Array.from({ length: 51 }, (_entry, at) => at + 1)).method).toBe('asymptotic');
  });

  it('is no evidence of nothing', () => {
    for (const method of ['exact', 'asymptotic'] as const) {
      expect(wilcoxonSignedRank([0, 0], method)).toEqual({ pValue: 1, statistic: 0, nonZero: 0, method });
    }
  });

  it('refuses what is no number, and an enumeration without end', () => {
    expect(() => wilcoxonSignedRank([1, Number.NaN])).toThrow(RangeError);
    const many = Array.from({ length: 1_001 }, (_entry, at) => at + 1);
    expect(() => wilcoxonSignedRank(many, 'exact')).toThrow(RangeError);
  });
});

describe('holmAdjust', () => {
  it('multiplies the smallest most, and keeps the order', () => {
    const adjusted = holmAdjust([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((expected, at) => expect(adjusted[at]).toBeCloseTo(expected, 14));
  });

  it('stays below 1, and takes none', () => {
    expect(holmAdjust([0.9, 0.8])).toEqual([1, 1]);
    expect(holmAdjust([])).toEqual([]);
  });

  it('refuses what is no p-value', () => {
    expect(() => holmAdjust([0.5, 1.5])).toThrow(new RangeError('pValues[1] must lie between 0 and 1, got 1.5'));
  });
});

describe('nonInferiority', () => {
  // Mean 1, standard error 0.5 of 4 differences.
  const slower = [0, 0.5, 1.5, 2].map((value) => 1 + (value - 1) * Math.sqrt((1 / 2.5) * 3));

  it('holds while the bound is on the better side of the margin', () => {
    const { estimate, bound, isNonInferior, pValue } = nonInferiority(slower, 2.5, false);
    expect(estimate).toBeCloseTo(1, 14);
    expect(bound).toBeCloseTo(1 + 2.3533634348018264 * 0.5, 12);
    expect(isNonInferior).toBe(true);
    expect(pValue).toBeLessThan(0.05);
    expect(nonInferiority(slower, 2, false)).toMatchObject({ isNonInferior: false });
  });

  it('turns with the direction', () => {
    const worse = nonInferiority(
      slower.map((value) => -value),
      2.5,
      true,
    );
    const dearer = nonInferiority(slower, 2.5, false);
    expect(worse.pValue).toBe(dearer.pValue);
    expect(worse.bound).toBe(-dearer.bound);
    expect(nonInferiority(slower, 0, true).isNonInferior).toBe(false);
  });

  it('has no doubt of differences that do not vary', () => {
    expect(nonInferiority([1, 1, 1], 1.5, false)).toMatchObject({ pValue: 0, isNonInferior: true, bound: 1 });
    expect(nonInferiority([1, 1, 1], 1, false)).toMatchObject({ pValue: 1, isNonInferior: false });
  });

  it('refuses a negative margin and too few differences', () => {
    expect(() => nonInferiority([1, 2], -1, true)).toThrow(RangeError);
    expect(() => nonInferiority([1], 1, true)).toThrow(RangeError);
  });
});

describe('comparePairs', () => {
  it('tests passes and fails by McNemar', () => {
    const [baseline, candidate] = [
      [0, 0, 0, 0, 1, 1],
      [1, 1, 1, 0, 0, 1],
    ];
    const comparison = comparePairs(baseline!, candidate!);
    expect(comparison).toMatchObject({
      pairs: 6,
      wins: 3,
      ties: 2,
      losses: 1,
      test: 'mcnemar exact',
      tTestPValue: null,
    });
    expect(comparison.pValue).toBe(mcnemarExact(3, 1));
    expect(comparison.difference.estimate).toBeCloseTo(1 / 3, 14);
    expect(comparison.baselineMean).toBeCloseTo(1 / 3, 14);
    expect(comparison.candidateMean).toBeCloseTo(2 / 3, 14);
  });

  it('tests other values by Wilcoxon, and counts wins by what is better', () => {
    const candidate = PLANTS.map((difference) => 100 + difference);
    const baseline = PLANTS.map(() => 100);
    const comparison = comparePairs(baseline, candidate, { higherIsBetter: false, resamples: 500 });
    expect(comparison).toMatchObject({ wins: 2, ties: 0, losses: 13, test: 'wilcoxon exact' });
    expect(comparison.pValue).toBeCloseTo(0.041259765625, 14);
    expect(comparison.tTestPValue).toBeCloseTo(0.0497, 4);
    expect(comparison.effectSize).toBeGreaterThan(0.5);
  });

  it('has no effect size of differences that do not vary', () => {
    const shifted = comparePairs([0.2, 0.4, 0.6], [0.5, 0.7, 0.9]);
    expect(shifted).toMatchObject({ effectSize: null, tTestPValue: null });
    expect(shifted.difference.method).toBe('constant');
    expect(comparePairs([0.2, 0.4], [0.2, 0.4])).toMatchObject({
      tTestPValue: 1,
      pValue: 1,
      ties: 2,
      effectSize: null,
    });
  });

  it('refuses rows that have no partner', () => {
    expect(() => comparePairs([1, 2], [1])).toThrow(RangeError);
    expect(() => comparePairs([1], [1])).toThrow(RangeError);
  });
});
