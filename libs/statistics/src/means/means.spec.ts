import { fuzzOf } from '@hone/testing/rounds';
import fc from 'fast-check';

import { momentsOf, NO_VALUES } from '../data/moments.js';
import { wilsonInterval } from '../intervals/wilson.js';
import { Xoshiro128 } from '../random/xoshiro128.js';
import { estimateMean } from './estimate-mean.js';
import { ppiMean } from './ppi-mean.js';
import { roganGladen } from './rogan-gladen.js';
import { drawPairs, rateMoments } from './simulated-calls.fixture.js';
import { judgeOnlyMean, labelsOnlyMean } from './single-source-means.js';
import { weightedMean } from './weighted-mean.js';

const WORLD = { rate: 0.6, truePositiveRate: 0.9, trueNegativeRate: 0.8 };
const PAIRS = drawPairs(WORLD, 60, new Xoshiro128(1));
const OTHERS = rateMoments(1_240, 2_000);
const RATINGS = { human: [3, 5, 2, 4, 4, 1, 3.5], judge: [3, 4, 2, 5, 4, 2, 3] };

describe('ppiMean', () => {
  it('weighs the judge by its formula', () => {
    const mean = ppiMean({ human: [1, 0, 1, 1], judge: [1, 0, 0, 1] }, rateMoments(2, 4));
    // Covariance 1/8; variance of all verdicts 2/7; as many calls without a label as with one.
    expect(mean.lambda).toBeCloseTo(1 / 8 / ((2 / 7) * 2), 14);
    expect(mean.estimate).toBe(0.75);
    expect(mean).toMatchObject({ labels: 4, calls: 8, judgeOnly: false, method: 'ppi++ score', level: 0.95 });
  });

  it('corrects a judge who passes too much', () => {
    const { estimate, low, high, lambda } = ppiMean(PAIRS, OTHERS);
    const [labels, judge] = [labelsOnlyMean(PAIRS.human), judgeOnlyMean(OTHERS, true)];
    expect(lambda).toBeGreaterThan(0.4);
    expect(Math.abs(estimate - 0.6)).toBeLessThan(0.1);
    expect(high - low).toBeLessThan(labels.high - labels.low);
    expect(high - low).toBeGreaterThan(judge.high - judge.low);
  });

  it('does not weigh a judge who says the same always, or the opposite', () => {
    const constant = ppiMean({ human: PAIRS.human, judge: PAIRS.human.map(() => 1) }, rateMoments(500, 500));
    const opposite = ppiMean({ human: PAIRS.human, judge: PAIRS.human.map((y) => 1 - y) }, rateMoments(200, 500));
    const { estimate } = labelsOnlyMean(PAIRS.human);
    expect(constant).toMatchObject({ lambda: 0, estimate });
    expect(opposite).toMatchObject({ lambda: 0, estimate });
  });

  it("is Wilson's interval of n − 1 trials where the judge has no weight", () => {
    const pass = PAIRS.human.map(() => 1);
    const { low, high, estimate } = ppiMean({ human: PAIRS.human, judge: pass }, rateMoments(500, 500));
    const z = 1.959963984540054;
    for (const end of [low, high]) {
      expect((estimate - end) ** 2).toBeCloseTo((z ** 2 * end * (1 - end)) / (PAIRS.human.length - 1), 12);
    }
  });

  it('keeps its doubt where no label shows an error', () => {
    const pass = PAIRS.human.map(() => 1);
    const { estimate, low, high } = ppiMean({ human: pass, judge: pass }, rateMoments(1_990, 2_000));
    expect(high).toBe(1);
    expect(low).toBeLessThan(0.95);
    expect(estimate).toBeLessThanOrEqual(high);
  });

  it("has Student's interval of ratings", () => {
    const others = momentsOf([1, 2, 3, 4, 5, 3, 3, 4]);
    const { estimate, low, high, standardError, method } = ppiMean(RATINGS, others);
    expect(method).toBe('ppi++ t');
    expect(high - estimate).toBeCloseTo(2.4469118511449692 * standardError, 12);
    expect(estimate - low).toBeCloseTo(2.4469118511449692 * standardError, 12);
  });

  it('refuses too few labels or calls, and what is no number', () => {
    expect(() => ppiMean({ human: [1], judge: [1] }, OTHERS)).toThrow(RangeError);
    expect(() => ppiMean({ human: [1, 0], judge: [1] }, OTHERS)).toThrow(RangeError);
    expect(() => ppiMean({ human: [1, Number.NaN], judge: [1, 0] }, OTHERS)).toThrow(RangeError);
    expect(() => ppiMean(PAIRS, momentsOf([1]))).toThrow(RangeError);
    expect(() => ppiMean(PAIRS, { ...OTHERS, variance: -1 })).toThrow(RangeError);
    expect(() => ppiMean(PAIRS, { ...OTHERS, mean: Number.NaN })).toThrow(RangeError);
    expect(() => ppiMean(PAIRS, OTHERS, 1)).toThrow(RangeError);
  });

  it('holds its estimate within its interval, and rates within 0 and 1', () => {
    const bits = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })), { minLength: 2 });
    const others = fc.tuple(fc.integer({ min: 2, max: 300 }), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(bits, others, (pairs, [count, share]) => {
        const [human, judge] = [pairs.map(([y]) => y), pairs.map(([, f]) => f)];
        const { estimate, low, high } = ppiMean({ human, judge }, rateMoments(Math.round(count * share), count));
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(estimate);
        expect(high).toBeGreaterThanOrEqual(estimate);
        expect(high).toBeLessThanOrEqual(1);
      }),
      fuzzOf(2_000),
    );
  });
});

describe('weightedMean', () => {
  const equal = PAIRS.human.map(() => 60 / 2_060);

  it('is about the mean of PPI++ where the chances are equal', () => {
    const [weighted, ppi] = [weightedMean({ ...PAIRS, chances: equal }, OTHERS), ppiMean(PAIRS, OTHERS)];
    expect(weighted.method).toBe('active-inference t');
    expect(Math.abs(weighted.estimate - ppi.estimate)).toBeLessThan(0.01);
    expect(weighted.standardError / ppi.standardError).toBeCloseTo(1, 1);
  });

  it('is the weighted mean of labels where the judge has no weight', () => {
    const judge = RATINGS.human.map(() => 3);
    const chances = [0.5, 0.1, 0.2, 1, 0.25, 0.5, 0.1];
    const weights = chances.map((chance) => 1 / chance);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const expected = RATINGS.human.reduce((sum, y, at) => sum + y * weights[at]!, 0) / total;
    const { estimate, lambda } = weightedMean(
      { human: RATINGS.human, judge, chances },
      { count: 23, mean: 3, variance: 0 },
    );
    expect(lambda).toBe(0);
    expect(estimate).toBeCloseTo(expected, 14);
  });

  it('follows a judge who never errs', () => {
    const random = new Xoshiro128(8);
    const verdicts = Array.from({ length: 4_000 }, () => 1 + random.below(5));
    const chances = verdicts.map((_verdict, at) => (at % 2 === 0 ? 0.05 : 0.2));
    const isDrawn = chances.map((chance) => random.fraction() < chance);
    const drawn = (values: number[]) => values.filter((_value, at) => isDrawn[at]);
    const others = momentsOf(verdicts.filter((_verdict, at) => !isDrawn[at]));
    const pairs = { human: drawn(verdicts), judge: drawn(verdicts), chances: drawn(chances) };
    const { estimate, lambda, labels, calls } = weightedMean(pairs, others);
    expect(lambda).toBeGreaterThan(0.95);
    expect(estimate).toBeCloseTo(momentsOf(verdicts).mean, 1);
    expect(labels).toBe(pairs.human.length);
    expect(calls).toBe(4_000);
  });

  it('stays within 0 and 1 of a rate, and not of ratings', () => {
    const human = [1, 1, 1, 0];
    const rate = weightedMean({ human, judge: [1, 0, 1, 0], chances: [0.02, 0.5, 0.1, 1] }, rateMoments(40, 50));
    expect(rate.high).toBe(1);
    const probabilities = ppiMean({ human, judge: [0.9, 0.4, 0.8, 0.3] }, momentsOf([0.7, 0.2, 0.8, 0.9, 0.6]));
    expect(probabilities).toMatchObject({ method: 'ppi++ t', high: 1 });
    const chances = [0.5, 0.1, 0.2, 1, 0.25, 0.5, 0.02];
    expect(weightedMean({ ...RATINGS, chances }, momentsOf([1, 5, 4, 5, 5])).high).toBeGreaterThan(1);
  });

  it('refuses chances that cannot be', () => {
    for (const chance of [0, 1.1, -0.5, Number.NaN]) {
      expect(() => weightedMean({ ...PAIRS, chances: [chance, ...equal.slice(1)] }, OTHERS)).toThrow(RangeError);
    }
    expect(() => weightedMean({ ...PAIRS, chances: [0.5] }, OTHERS)).toThrow(RangeError);
  });
});

describe('means of one source', () => {
  it("are Wilson's rate or Student's mean of labels", () => {
    const labels = labelsOnlyMean([1, 0, 1, 1], 10);
    expect(labels).toMatchObject({ ...wilsonInterval(3, 4), method: 'labels-only wilson', labels: 4, calls: 10 });
    const ratings = labelsOnlyMean([1, 2, 3, 6]);
    expect(ratings.method).toBe('labels-only t');
    expect(ratings.high - 3).toBeCloseTo(3.18244630528371 * Math.sqrt(14 / 3 / 4), 12);
    expect(ratings.judgeOnly).toBe(false);
  });

  it('are marked where only the judge speaks', () => {
    expect(judgeOnlyMean(rateMoments(30, 40), true)).toMatchObject({
      ...wilsonInterval(30, 40),
      method: 'judge-only wilson',
      labels: 0,
      calls: 40,
      judgeOnly: true,
      lambda: null,
    });
    expect(judgeOnlyMean(momentsOf([1, 2, 3, 6]), false).method).toBe('judge-only t');
  });

  it('refuse fewer than two values, and fewer calls than labels', () => {
    expect(() => labelsOnlyMean([1])).toThrow(RangeError);
    expect(() => labelsOnlyMean([1, 0], 1)).toThrow(RangeError);
    expect(() => judgeOnlyMean(momentsOf([1]), true)).toThrow(RangeError);
  });
});

describe('estimateMean', () => {
  const data = { ...PAIRS, others: OTHERS, isRate: true };
  const few = { human: PAIRS.human.slice(0, 19), judge: PAIRS.judge.slice(0, 19) };
  const chances = PAIRS.human.map((_label, at) => (at % 2 === 0 ? 0.02 : 0.1));

  it.each([
    ['PPI++ with twenty labels', data, 'ppi++ score'],
    ['PPI++ where all chances are equal', { ...data, chances: PAIRS.human.map(() => 0.03) }, 'ppi++ score'],
    ['active inference where chances differ', { ...data, chances }, 'active-inference t'],
    ['the labels where all calls have one', { ...data, others: NO_VALUES }, 'labels-only wilson'],
    ['the judge alone with fewer labels', { ...data, ...few }, 'judge-only wilson'],
    ['the judge alone without labels', { human: [], judge: [], others: OTHERS, isRate: false }, 'judge-only t'],
  ])('takes %s', (_name, calls, method) => {
    expect(estimateMean(calls).method).toBe(method);
  });

  it('counts all calls', () => {
    expect(estimateMean(data)).toMatchObject({ labels: 60, calls: 2_060, judgeOnly: false });
    expect(estimateMean({ ...data, ...few })).toMatchObject({ labels: 0, calls: 2_019, judgeOnly: true });
  });

  it('refuses a rate of other values, chances of other labels, and no calls', () => {
    expect(() => estimateMean({ ...data, chances: [0.5] })).toThrow(RangeError);
    expect(() => estimateMean({ ...RATINGS, others: OTHERS, isRate: true })).toThrow(RangeError);
    expect(() => estimateMean({ human: [], judge: [], others: NO_VALUES, isRate: true })).toThrow(RangeError);
  });
});

describe('roganGladen', () => {
  const counts = { truePositives: 45, falseNegatives: 5, falsePositives: 10, trueNegatives: 40 };

  it('inverts the error rates of the judge', () => {
    const { estimate, low, high, method } = roganGladen(60, 100, counts)!;
    expect(estimate).toBeCloseTo(0.4 / 0.7, 14);
    expect(low).toBeLessThan(estimate);
    expect(high).toBeGreaterThan(estimate);
    expect(method).toBe('delta');
  });

  it('stays within 0 and 1', () => {
    expect(roganGladen(1, 100, counts)).toMatchObject({ estimate: 0, low: 0 });
    expect(roganGladen(100, 100, counts)).toMatchObject({ estimate: 1, high: 1 });
  });

  it('is undefined where people pass all, fail all, or the judge guesses', () => {
    expect(roganGladen(60, 100, { ...counts, truePositives: 0, falseNegatives: 0 })).toBeNull();
    expect(roganGladen(60, 100, { ...counts, trueNegatives: 0, falsePositives: 0 })).toBeNull();
    expect(roganGladen(60, 100, { ...counts, trueNegatives: 5, falsePositives: 45 })).toBeNull();
  });

  it('refuses counts out of their range', () => {
    expect(() => roganGladen(101, 100, counts)).toThrow(RangeError);
    expect(() => roganGladen(0, 0, counts)).toThrow(RangeError);
    expect(() => roganGladen(1, 100, { ...counts, truePositives: -1 })).toThrow(RangeError);
  });
});
