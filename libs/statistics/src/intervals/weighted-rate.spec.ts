import { confusionMatrix } from '../agreement/confusion-matrix.js';
import { pearson } from '../agreement/correlation.js';
import { effectiveCount } from '../data/weights.js';
import { Xoshiro128 } from '../random/xoshiro128.js';
import { weightedRate } from './weighted-rate.js';
import { wilsonInterval } from './wilson.js';

describe('figures of weighted calls', () => {
  const values = [1, 0, 1, 1, 0, 1];

  it('are the plain ones where all weights are equal', () => {
    const equal = values.map(() => 4);
    const judge = [1, 0, 0, 1, 0, 1];
    expect(weightedRate(values, equal)?.estimate).toBeCloseTo(4 / 6, 14);
    expect(weightedRate(values, equal)?.low).toBeCloseTo(wilsonInterval(4, 6).low, 14);
    expect(weightedRate(values, equal)?.high).toBeCloseTo(wilsonInterval(4, 6).high, 14);
    expect(confusionMatrix(values, judge, [1, 0], equal)).toEqual(confusionMatrix(values, judge, [1, 0]));
    const [plain, weighted] = [pearson(values, judge), pearson(values, judge, 0.95, equal)];
    expect(weighted?.estimate).toBeCloseTo(plain!.estimate, 14);
    expect(weighted?.high).toBeCloseTo(plain!.high, 14);
  });

  it('count a call by its weight, and tell no more than the effective count', () => {
    const weights = [1, 1, 1, 1, 8, 8];
    expect(effectiveCount(weights)).toBeCloseTo(400 / 132, 12);
    const rate = weightedRate(values, weights)!;
    expect(rate.estimate).toBeCloseTo(11 / 20, 12);
    expect(rate.high - rate.low).toBeGreaterThan(wilsonInterval(3, 6).high - wilsonInterval(3, 6).low);
    const { counts } = confusionMatrix(values, values, [1, 0], weights);
    expect(counts[0]![0]! / counts[1]![1]!).toBeCloseTo(11 / 9, 12);
    expect(counts[0]![0]! + counts[1]![1]!).toBeCloseTo(400 / 132, 12);
    expect(pearson([1, 2, 3, 4], [4, 1, 3, 2], 0.95, [100, 1, 1, 1])).toBeNull();
  });

  it('are about those of all calls where a few were drawn with unequal chances', () => {
    const random = new Xoshiro128(3);
    const pairs = Array.from({ length: 20_000 }, () => {
      const quality = random.fraction();
      return [quality, quality + random.fraction()] as const;
    });
    const chanceOf = ([x]: readonly [number, number]) => (x > 0.5 ? 0.5 : 0.1);
    const drawn = pairs.filter((pair) => random.fraction() < chanceOf(pair));
    const weights = drawn.map((pair) => 1 / chanceOf(pair));
    const lists = (some: readonly (readonly [number, number])[]) =>
      [some.map(([x]) => x), some.map(([, y]) => y)] as const;
    const whole = pearson(...lists(pairs))!;
    expect(pearson(...lists(drawn), 0.95, weights)!.estimate).toBeCloseTo(whole.estimate, 1);
    const above = (some: readonly (readonly [number, number])[]) => some.map(([, y]) => (y > 1 ? 1 : 0));
    const share = weightedRate(above(drawn), weights)!;
    const truth = above(pairs).reduce((sum: number, value) => sum + value, 0) / pairs.length;
    expect(share.low).toBeLessThan(truth);
    expect(share.high).toBeGreaterThan(truth);
  });

  it('have no rate of no value, and refuse what is none', () => {
    expect(weightedRate([], [])).toBeNull();
    expect(() => weightedRate([0.5], [1])).toThrow(RangeError);
    expect(() => weightedRate([1], [1, 2])).toThrow(RangeError);
  });
});
