import { gwetAc1 } from './ac1.js';
import { binaryAgreement, binaryMatrix } from './binary-agreement.js';
import { confusionMatrix } from './confusion-matrix.js';
import { cohenKappa } from './kappa.js';

const COUNTS = { truePositives: 20, falseNegatives: 5, falsePositives: 10, trueNegatives: 15 };

describe('binaryAgreement', () => {
  it('has the rates of its counts, each with its interval', () => {
    const agreement = binaryAgreement(COUNTS);
    expect(agreement.labels).toBe(50);
    expect(agreement.truePositiveRate).toMatchObject({ estimate: 0.8, method: 'wilson' });
    expect(agreement.trueNegativeRate).toMatchObject({ estimate: 0.6, method: 'wilson' });
    expect(agreement.accuracy).toMatchObject({ estimate: 0.7, method: 'wilson' });
    expect(agreement.kappa?.estimate).toBeCloseTo(0.4, 14);
    expect(agreement.ac1?.estimate).toBeCloseTo((0.7 - 0.495) / 0.505, 14);
  });

  it('has no rate of what people never said', () => {
    const agreement = binaryAgreement({ truePositives: 9, falseNegatives: 1, falsePositives: 0, trueNegatives: 0 });
    expect(agreement.truePositiveRate?.estimate).toBe(0.9);
    expect(agreement.trueNegativeRate).toBeNull();
  });

  it('has no figure without labels', () => {
    const none = binaryAgreement({ truePositives: 0, falseNegatives: 0, falsePositives: 0, trueNegatives: 0 });
    expect(none).toMatchObject({ labels: 0, truePositiveRate: null, trueNegativeRate: null, accuracy: null });
    expect(none).toMatchObject({ kappa: null, ac1: null });
  });

  it('refuses counts that are none', () => {
    expect(() => binaryAgreement({ ...COUNTS, falsePositives: -1 })).toThrow(RangeError);
    expect(() => binaryAgreement({ ...COUNTS, falsePositives: 1.5 })).toThrow(RangeError);
  });
});

describe('agreement beyond chance', () => {
  it('is undefined by kappa, and full by AC1, where both sides know one verdict', () => {
    const matrix = confusionMatrix([1, 1, 1], [1, 1, 1], [0, 1]);
    expect(cohenKappa(matrix)).toBeNull();
    expect(gwetAc1(matrix)).toMatchObject({ estimate: 1, low: 1, high: 1 });
  });

  it('collapses by kappa, and not by AC1, where one verdict is rare', () => {
    const matrix = binaryMatrix({ truePositives: 45, falseNegatives: 2, falsePositives: 3, trueNegatives: 0 });
    expect(cohenKappa(matrix)?.estimate).toBeLessThan(0);
    expect(gwetAc1(matrix)?.estimate).toBeGreaterThan(0.85);
  });

  it('is 1 of equal and −1 of opposite verdicts', () => {
    const verdicts = [1, 0, 1, 0];
    expect(cohenKappa(confusionMatrix(verdicts, verdicts, [0, 1]))).toMatchObject({ estimate: 1, low: 1, high: 1 });
    const opposite = verdicts.map((verdict) => 1 - verdict);
    expect(cohenKappa(confusionMatrix(verdicts, opposite, [0, 1]))).toMatchObject({ estimate: -1, low: -1 });
  });
});

describe('confusionMatrix', () => {
  it('counts verdicts by people in rows and by the judge in columns', () => {
    const matrix = confusionMatrix(
      ['good', 'bad', 'good', 'fair'],
      ['good', 'good', 'bad', 'fair'],
      ['bad', 'fair', 'good'],
    );
    expect(matrix.categories).toEqual(['bad', 'fair', 'good']);
    expect(matrix.counts).toEqual([
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, 1],
    ]);
  });

  it('refuses verdicts it does not know, lists of two lengths, and fewer than two categories', () => {
    expect(() => confusionMatrix(['a'], ['c'], ['a', 'b'])).toThrow(new RangeError('c is none of the categories'));
    expect(() => confusionMatrix(['a'], [], ['a', 'b'])).toThrow(RangeError);
    expect(() => confusionMatrix(['a'], ['a'], ['a'])).toThrow(RangeError);
    expect(() => confusionMatrix(['a'], ['a'], ['a', 'a'])).toThrow(RangeError);
  });

  it('must be square where it is made elsewhere', () => {
    expect(() => cohenKappa({ categories: [0, 1], counts: [[1, 2]] })).toThrow(RangeError);
    expect(() => gwetAc1({ categories: [0], counts: [[1]] })).toThrow(RangeError);
  });
});
