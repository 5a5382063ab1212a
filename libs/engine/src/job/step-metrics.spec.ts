import type { PlanRow } from '../plan/plan.js';
import { resolveRlConfig } from '../plan/rl-config.js';
import type { StepResult } from '../train/trainer.js';
import { settleRlRow } from './rl-row.js';
import { rlMetrics, sftMetrics } from './step-metrics.js';

const planned = (old: number[], staleness: number | null = 2): PlanRow => ({
  row: 0,
  numTrajectories: 1,
  learningRate: 1e-5,
  staleness,
  sequences: [{ ids: [1, 2, 3], mask: [0, 1, 1], old: [NaN, ...old], adv: 1, weight: 1 }],
});
const stepped = (lp: number[]): StepResult => ({
  loss: -0.25,
  gradientNorm: 0.5,
  scores: [{ lp: Float32Array.from(lp), entropy: Float32Array.of(1, 3) }],
});
const metricsOf = (old: number[], lp: number[], epsilonHigh = 4) =>
  rlMetrics(settleRlRow(planned(old), resolveRlConfig({ epsilon_high: epsilonHigh })), stepped(lp), 1e-5, null);

describe('the metrics of a step', () => {
  it('of reinforcement learning are those of the raw token ratios', () => {
    const old = [Math.log(0.25), Math.log(0.5)];
    const metrics = metricsOf(old, [Math.log(0.5), Math.log(0.5)], 0.5);
    expect(metrics).toEqual({
      loss: -0.25,
      grad_norm: 0.5,
      learning_rate: 1e-5,
      entropy: expect.closeTo(2, 5),
      'offpolicy/ratio_mean': expect.closeTo(1.5, 6),
      'offpolicy/ratio_max': expect.closeTo(2, 6),
      'offpolicy/clip_fraction': 0.5,
      'offpolicy/ess': expect.closeTo(9 / 10, 6),
      'offpolicy/staleness': 2,
      'row/num_trajectories': 1,
      'row/num_trainable_tokens': 2,
    });
  });

  it('correlate old and new probabilities where both vary', () => {
    const old = [Math.log(0.2), Math.log(0.6)];
    expect(metricsOf(old, [Math.log(0.3), Math.log(0.9)]).probs_corr).toBeCloseTo(1, 6);
    expect(metricsOf(old, [Math.log(0.9), Math.log(0.3)]).probs_corr).toBeCloseTo(-1, 6);
  });

  it('take an unknown old log-probability as equal', () => {
    const metrics = metricsOf([NaN, NaN], [-1, -2]);
    expect(metrics['offpolicy/ratio_max']).toBe(1);
    expect(metrics.probs_corr).toBeCloseTo(1, 6);
  });

  it('of an emptied batch are those that exist', () => {
    const batch = { numTrajectories: 0, numTrainableTokens: 0, numTokens: 0 };
    expect(sftMetrics(batch, null, 2e-4, 0.5)).toEqual({
      learning_rate: 2e-4,
      num_trajectories: 0,
      num_trainable_tokens: 0,
      tokens_per_second: 0,
    });
  });
});
