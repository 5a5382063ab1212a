import { Xoshiro128 } from '@hone/statistics';
import { roundsOf } from '@hone/testing/rounds';

import { planFigures } from './plan-figures.js';
import {
  LEVEL,
  PASSED,
  pilotOf,
  RATING,
  reportOfQueue,
  reportOfUniform,
  simulateCalls,
  type SimulatedJudge,
  sizeOfQueue,
} from './simulated-people.fixture.js';

const CALLS = 2_000;
const LABELS = 100;
/** Errs where its votes lie apart. */
const SHARP: SimulatedJudge = { votes: 5, hard: 0.15, rightWhenHard: 0.5, right: 0.998, blind: 0 };
/** Doubts more, and errs on a call in a thousand without a doubt. */
const GOOD: SimulatedJudge = { votes: 5, hard: 0.2, rightWhenHard: 0.5, right: 0.998, blind: 0.001 };
/** Wrong on a tenth of all calls without a doubt. */
const BLIND: SimulatedJudge = { votes: 5, hard: 0.1, rightWhenHard: 0.6, right: 0.99, blind: 0.1 };
/** Of each judge: 600 in the long form. */
const ROUNDS = roundsOf(600, 'HONE_LABEL_ROUNDS');
const TRUTH = 10 * PASSED;

const halfOf = ({ low, high }: { low: number | null; high: number | null }) => ((high as number) - (low as number)) / 2;
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounds = <Found>(
  judge: SimulatedJudge,
  seed: number,
  find: (calls: ReturnType<typeof simulateCalls>, round: number) => Found,
) => {
  const random = new Xoshiro128(seed);
  return Array.from({ length: ROUNDS }, (_none, round) => find(simulateCalls(judge, CALLS, random), round));
};
/** Share of the intervals that hold the truth. */
const coverageOf = (reports: readonly { low: number | null; high: number | null }[]) =>
  meanOf(reports.map(({ low, high }) => Number((low as number) <= TRUTH && TRUTH <= (high as number))));
/** Coverage is a rate itself: three standard errors of it. */
const LEAST_COVERAGE = 0.94 - 3 * Math.sqrt((0.95 * 0.05) / ROUNDS);

describe('labels of simulated people', () => {
  it.each([
    ['a sharp judge', SHARP],
    ['a good judge', GOOD],
  ])('of a queue are worth twice as many uniform ones with %s, and hold the truth', (_name, judge) => {
    const found = rounds(judge, 1, (calls, round) => ({
      queue: reportOfQueue(calls, LABELS, round),
      uniform: reportOfUniform(calls, 2 * LABELS),
    }));
    expect(found[0]?.queue.method).toBe('active-inference t');
    const [queue, uniform] = [found.map((one) => one.queue), found.map((one) => one.uniform)];

    expect(meanOf(queue.map(halfOf))).toBeLessThan(meanOf(uniform.map(halfOf)));
    expect(meanOf(queue.map(({ labels }) => labels)) / LABELS).toBeCloseTo(1, 1);
    expect(coverageOf(queue)).toBeGreaterThan(LEAST_COVERAGE);
  });

  it('of a queue hold the truth, and cost at most twice as many, where the judge errs without a doubt', () => {
    const found = rounds(BLIND, 2, (calls, round) => ({
      queue: reportOfQueue(calls, LABELS, round),
      uniform: reportOfUniform(calls, LABELS),
    }));
    const queue = found.map((one) => one.queue);

    // No chance is below half the uniform one.
    expect(meanOf(queue.map(halfOf))).toBeLessThan(Math.SQRT2 * meanOf(found.map(({ uniform }) => halfOf(uniform))));
    expect(coverageOf(queue)).toBeGreaterThan(LEAST_COVERAGE);
  });

  it('of a queue that is half done hold the truth, with a wider interval', () => {
    const found = rounds(GOOD, 3, (calls, round) => ({
      half: reportOfQueue(calls, 2 * LABELS, round, 0.5),
      whole: reportOfQueue(calls, 2 * LABELS, round),
    }));
    const half = found.map((one) => one.half);

    expect(meanOf(half.map(halfOf))).toBeGreaterThan(1.25 * meanOf(found.map(({ whole }) => halfOf(whole))));
    expect(coverageOf(half)).toBeGreaterThan(LEAST_COVERAGE);
  });

  it.each([
    ['a sharp judge', SHARP, 0.4],
    ['a good judge', GOOD, 0.5],
    ['a judge that errs without a doubt', BLIND, 0.7],
  ])('reach the half-width that was wanted of a queue for %s', (_name, judge, width) => {
    const found = rounds(judge, 5, (calls, round) => {
      const size = sizeOfQueue(calls, LABELS, width);
      // Other calls than those of the pilot, drawn from as many.
      return {
        size,
        half: halfOf(reportOfQueue(simulateCalls(judge, CALLS, new Xoshiro128(round + 1_000)), size, round)),
      };
    });
    expect(meanOf(found.map(({ half }) => half))).toBeGreaterThan(0.85 * width);
    expect(meanOf(found.map(({ half }) => half))).toBeLessThan(1.15 * width);
  });

  it.each([
    ['a sharp judge', SHARP, 0.5],
    ['a good judge', GOOD, 0.5],
    ['a judge that errs without a doubt', BLIND, 0.6],
  ])('reach the half-width that was planned for %s', (_name, judge, width) => {
    const found = rounds(judge, 4, (calls) => {
      const plan = planFigures(pilotOf(calls, LABELS), RATING, width, LEVEL);
      return halfOf(reportOfUniform([...calls].reverse(), plan.with_judge as number));
    });

    expect(meanOf(found)).toBeGreaterThan(0.85 * width);
    expect(meanOf(found)).toBeLessThan(1.15 * width);
  });
});
