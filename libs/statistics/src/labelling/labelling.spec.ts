import { momentsOf } from '../data/moments.js';
import { ppiDifference } from '../means/ppi-difference.js';
import { ppiMean } from '../means/ppi-mean.js';
import { drawPairs, judgedRate, passCounter } from '../means/simulated-calls.fixture.js';
import { labelsOnlyMean } from '../means/single-source-means.js';
import { Xoshiro128 } from '../random/xoshiro128.js';
import { differencePlan, labelPlan, variancePlan, worstCasePlan } from './label-plan.js';
import { samplingChances } from './sampling-chances.js';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('differencePlan', () => {
  const rows = 1_000;
  /** Differences that people find, and those of a judge that follows them with some noise of its own. */
  const differences = (count: number, random: Xoshiro128) => {
    const human = Array.from({ length: count }, () => 0.2 + 4 * (random.fraction() + random.fraction() - 1));
    return { human, judge: human.map((value) => 0.9 * value + 1.5 * (random.fraction() - 0.5)) };
  };

  it('reaches the half-width it promises, with and without the judge', () => {
    const random = new Xoshiro128(7);
    const plan = differencePlan(differences(200, random), rows, 0.15);
    expect(plan).toMatchObject({ halfWidth: 0.15, calls: rows, pilot: 200 });
    expect(plan.withJudge!).toBeLessThan(plan.withoutJudge! / 2);
    const reached = (estimate: () => { low: number; high: number }) =>
      momentsOf(Array.from({ length: 100 }, estimate).map(({ low, high }) => (high - low) / 2)).mean;
    const withJudge = reached(() => {
      const { judge } = differences(rows - plan.withJudge!, random);
      return ppiDifference(differences(plan.withJudge!, random), momentsOf(judge));
    });
    const without = reached(() => labelsOnlyMean(differences(plan.withoutJudge!, random).human));
    for (const half of [withJudge, without]) {
      expect(half).toBeGreaterThan(0.15 * 0.9);
      expect(half).toBeLessThan(0.15 * 1.1);
    }
  });

  it('takes differences of 0 and 1 as numbers: they are no rates', () => {
    const zeros = Array.from({ length: 20 }, (_none, at) => (at < 10 ? 0 : 1));
    const { withoutJudge } = differencePlan({ human: zeros, judge: zeros }, rows, 0.1);
    expect(withoutJudge).toBe(variancePlan(momentsOf(zeros).variance, rows, 0.1).withoutJudge);
  });

  it('refuses too few pairs or rows, and a variance that is none', () => {
    expect(() => differencePlan({ human: [1], judge: [1] }, rows, 0.1)).toThrow(RangeError);
    expect(() => differencePlan({ human: [1, 0], judge: [1, 0] }, 3, 0.1)).toThrow(RangeError);
    expect(() => variancePlan(-1, rows, 0.1)).toThrow(RangeError);
    expect(() => variancePlan(Number.NaN, rows, 0.1)).toThrow(RangeError);
  });
});

describe('labelPlan', () => {
  const world = { rate: 0.6, truePositiveRate: 0.93, trueNegativeRate: 0.9 };
  const pilot = drawPairs(world, 200, new Xoshiro128(4));
  const calls = 4_000;

  it('saves labels with a good judge', () => {
    const plan = labelPlan(pilot, calls, 0.05);
    expect(plan).toMatchObject({ halfWidth: 0.05, level: 0.95, calls, pilot: 200 });
    expect(plan.withoutJudge).toBeGreaterThan(350);
    expect(plan.withJudge).toBeLessThan(plan.withoutJudge! * 0.7);
  });

  it('reaches the half-width it promises, with and without the judge', () => {
    const random = new Xoshiro128(5);
    const plan = labelPlan(pilot, calls, 0.05);
    const halfWidths = (labels: number, estimate: (labels: number) => { low: number; high: number }) =>
      Array.from({ length: 200 }, () => estimate(labels)).map(({ low, high }) => (high - low) / 2);
    const others = passCounter(calls - plan.withJudge!, judgedRate(world));
    const withJudge = halfWidths(plan.withJudge!, (labels) =>
      ppiMean(drawPairs(world, labels, random), others(random)),
    );
    const without = halfWidths(plan.withoutJudge!, (labels) => labelsOnlyMean(drawPairs(world, labels, random).human));
    for (const reached of [withJudge, without]) {
      expect(momentsOf(reached).mean).toBeGreaterThan(0.05 * 0.85);
      expect(momentsOf(reached).mean).toBeLessThan(0.05 * 1.15);
    }
  });

  it('names the fewest labels that are enough', () => {
    const ratings = { human: [3, 5, 2, 4, 4, 1, 3.5], judge: [3, 4, 2, 5, 4, 2, 3] };
    const { withoutJudge, withJudge } = labelPlan(ratings, 500, 0.2);
    const { variance } = momentsOf(ratings.human);
    const halfWidth = (labels: number) => {
      const human = Array.from({ length: labels }, (_label, at) => (at % 2 === 0 ? 1 : -1));
      const scale = Math.sqrt(variance / momentsOf(human).variance);
      return labelsOnlyMean(human.map((value) => value * scale)).high - momentsOf(human).mean * scale;
    };
    expect(halfWidth(withoutJudge!)).toBeLessThanOrEqual(0.2);
    expect(halfWidth(withoutJudge! - 1)).toBeGreaterThan(0.2);
    expect(withJudge).toBeLessThan(withoutJudge!);
  });

  it('says where no labels are enough', () => {
    expect(labelPlan(pilot, 300, 0.01)).toMatchObject({ withJudge: null, withoutJudge: null });
  });

  it('does not promise an exact rate after a pilot of passes alone', () => {
    const pass = Array.from({ length: 20 }, () => 1);
    expect(labelPlan({ human: pass, judge: pass }, 1_000, 0.05).withoutJudge).toBeGreaterThan(20);
  });

  it('is about the same after a pilot that was drawn with unequal chances', () => {
    // Calls that people pass were drawn twice as often.
    const random = new Xoshiro128(6);
    const many = drawPairs(world, 4_000, random);
    const kept = many.human.map((label) => random.fraction() < (label === 1 ? 0.5 : 0.25));
    const drawn = (values: readonly number[]) => values.filter((_value, at) => kept[at]);
    const unequal = {
      ...{ human: drawn(many.human), judge: drawn(many.judge) },
      chances: drawn(many.human).map((label) => (label === 1 ? 0.5 : 0.25)),
    };
    const [weighted, whole] = [labelPlan(unequal, calls, 0.05), labelPlan(many, calls, 0.05)];
    expect(weighted.withJudge! / whole.withJudge!).toBeCloseTo(1, 1);
    expect(weighted.withoutJudge! / whole.withoutJudge!).toBeCloseTo(1, 1);
    const ratings = { human: [3, 5, 2, 4, 4, 1, 3.5], judge: [3, 4, 2, 5, 4, 2, 3] };
    const equal = { ...ratings, chances: ratings.human.map(() => 0.3) };
    expect(labelPlan(equal, 500, 0.2)).toEqual(labelPlan(ratings, 500, 0.2));
  });

  it('is the worst case where nothing is known', () => {
    const plan = worstCasePlan([0, 1], calls, 0.05);
    expect(plan).toMatchObject({ pilot: 0, withJudge: plan.withoutJudge });
    // 1.96² / 4 / 0.05², and a little more for Student's t.
    expect(plan.withoutJudge).toBeGreaterThanOrEqual(385);
    expect(plan.withoutJudge).toBeLessThan(390);
    expect(worstCasePlan([1, 5], calls, 0.2).withoutJudge).toBe(plan.withoutJudge);
    expect(() => worstCasePlan([1, 1], calls, 0.05)).toThrow(RangeError);
  });

  it('refuses a width that is not above 0, and too few pairs or calls', () => {
    expect(() => labelPlan(pilot, calls, 0)).toThrow(RangeError);
    expect(() => labelPlan(pilot, 3, 0.1)).toThrow(RangeError);
    expect(() => labelPlan({ human: [1], judge: [1] }, calls, 0.1)).toThrow(RangeError);
    expect(() => labelPlan(pilot, calls, 0.1, 0)).toThrow(RangeError);
  });
});

describe('samplingChances', () => {
  it('follow the uncertainty, from the floor up', () => {
    const chances = samplingChances([0, 1, 2, 3], 2);
    [0.02, 0.33, 0.66, 0.99].forEach((expected, at) => expect(chances[at]).toBeCloseTo(expected, 12));
  });

  it('end at 1, and add up to the labels', () => {
    const chances = samplingChances([0.001, 0.002, 0.5, 100, 1, 2], 2.5);
    expect(chances[3]).toBe(1);
    expect(chances[0]).toBe(0.02);
    expect(chances[5]! / chances[4]!).toBeCloseTo(2, 12);
    expect(sum(chances)).toBeCloseTo(2.5, 12);
  });

  it('add up to the labels of any scores', () => {
    const random = new Xoshiro128(9);
    for (let round = 0; round < 50; round++) {
      const scores = Array.from({ length: 1 + random.below(300) }, () => Math.max(0, random.fraction() - 0.2) ** 4);
      const labels = scores.length * (0.02 + 0.98 * random.fraction());
      const chances = samplingChances(scores, labels);
      expect(sum(chances)).toBeCloseTo(labels, 9);
      expect(Math.min(...chances)).toBeGreaterThanOrEqual(0.02);
      expect(Math.max(...chances)).toBeLessThanOrEqual(1);
    }
  });

  it('are equal where nothing tells the calls apart', () => {
    expect(samplingChances([0, 0, 0, 0], 1)).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(samplingChances([3, 3, 3, 3], 1)).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  it('share what is left once every uncertain call is drawn', () => {
    expect(samplingChances([0, 0, 5, 1], 3)).toEqual([0.5, 0.5, 1, 1]);
  });

  it('refuse labels below the floor or above the calls, and scores that are none', () => {
    expect(() => samplingChances([1, 2], 0.03)).toThrow(RangeError);
    expect(() => samplingChances([1, 2], 3)).toThrow(RangeError);
    expect(() => samplingChances([1, -2], 1)).toThrow(RangeError);
    expect(() => samplingChances([1, Number.NaN], 1)).toThrow(RangeError);
    expect(() => samplingChances([], 1)).toThrow(RangeError);
    expect(() => samplingChances([1, 2], 1, 0)).toThrow(RangeError);
  });
});
