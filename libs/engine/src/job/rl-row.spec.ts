import type { PlanRow } from '../plan/plan.js';
import { resolveRlConfig } from '../plan/rl-config.js';
import { settleRlRow, withKlPenalty, withRecalculated } from './rl-row.js';

const PLANNED: PlanRow = {
  row: 0,
  numTrajectories: 2,
  learningRate: 1e-5,
  staleness: null,
  sequences: [
    { ids: [1, 5, 6, 7], mask: [0, 0, 1, 1], old: [NaN, NaN, -0.5, -1], adv: 1, weight: 2 },
    { ids: [1, 5, 8], mask: [0, 0, 1], old: [NaN, NaN, NaN], adv: -1, weight: 0.5 },
  ],
};
const settled = () => settleRlRow(PLANNED, resolveRlConfig({}));
const scoresOf = (...lps: number[][]) =>
  lps.map((lp) => ({ lp: Float32Array.from(lp), entropy: new Float32Array(lp.length) }));

describe('a row of reinforcement learning', () => {
  it('has old log-probability, advantage and weight of each trained token', () => {
    const [first, second] = settled().sequences;
    expect(first?.trained).toEqual([2, 3]);
    expect(Array.from(first?.old ?? [])).toEqual([-0.5, -1]);
    expect(Array.from(second?.advantage ?? [])).toEqual([-1]);
    // Over the three trained tokens of the row.
    expect(first?.weight[0]).toBeCloseTo(2 / 3, 5);
    expect(second?.weight[0]).toBeCloseTo(0.5 / 3, 5);
  });

  it('takes log-probabilities anew and keeps how far the logged ones were', () => {
    const [first, second] = withRecalculated(settled(), scoresOf([-0.25, -2], [-3])).sequences;
    expect(Array.from(first?.old ?? [])).toEqual([-0.25, -2]);
    expect(first?.drift?.[0]).toBeCloseTo(Math.exp(0.25), 6);
    expect(first?.drift?.[1]).toBeCloseTo(Math.exp(-1), 6);
    expect(second?.drift?.[0]).toBeNaN();
  });

  it('shifts advantages by the KL penalty, by 0 in sum', () => {
    const old = settled().sequences.map((sequence) => sequence.old);
    const learner = [[-0.4, -1.1], [-2]];
    const reference = [[-1, -1], [-1.5]];
    const { row, meanKl } = withKlPenalty(settled(), 0.5, old, learner, reference);
    // k = 0.5, 0 and, where the sampling policy is unknown, -2 + 1.5 = -0.5.
    expect(meanKl).toBeCloseTo(0, 12);
    expect(row.sequences.map(({ advantage }) => Array.from(advantage))).toEqual([[0.75, 1], [-0.75]]);
    const shift = row.sequences.flatMap(({ advantage }) => Array.from(advantage)).reduce((a, b) => a + b, 0);
    expect(shift).toBeCloseTo(1 + 1 - 1, 12);
  });
});
