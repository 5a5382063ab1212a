import { sigmoid } from './logistic.js';
import { logRatio } from './pair-terms.js';
import type { PreferenceLoss, PreferenceResult, PreferenceSequence } from './preference-sequence.js';
import { evenly, mean, sum } from './sums.js';

/**
 * `weight * (1 - s(beta (r - z)))` of a desirable answer and `weight * (1 - s(beta (z - r)))` of an undesirable one,
 * averaged over the answers of the row; r: its log-ratio; z: the mean log-ratio of the mismatched sequences, at least 0,
 * a constant of the step. Source: Ethayarajh et al., "KTO: Model Alignment as Prospect Theoretic Optimization" (2024),
 * equation 8.
 */
export function ktoLoss({ beta }: PreferenceLoss, row: readonly PreferenceSequence[]): PreferenceResult {
  const answers = row.filter(({ role }) => role !== 'mismatched');
  const mismatched = row.filter(({ role }) => role === 'mismatched');
  const divergence = mismatched.length === 0 ? 0 : Math.max(0, mean(mismatched.map(logRatio)));
  let loss = 0;
  const coefficients = row.map((sequence) => {
    if (sequence.role === 'mismatched') return evenly(sequence.lp, 0);
    const sign = sequence.role === 'desirable' ? 1 : -1;
    const value = sigmoid(sign * beta * (logRatio(sequence) - divergence));
    const share = sequence.weight / answers.length;
    loss += share * (1 - value);
    return evenly(sequence.lp, share * sign * beta * value * (1 - value));
  });
  const [desirable, undesirable] = (['desirable', 'undesirable'] as const).map((one) =>
    answers.filter(({ role }) => role === one),
  ) as [PreferenceSequence[], PreferenceSequence[]];
  const isRight = (sequence: PreferenceSequence): number =>
    logRatio(sequence) > divergence === (sequence.role === 'desirable') ? 1 : 0;
  const findings = {
    rewardChosen: beta * mean(desirable.map(logRatio)),
    rewardRejected: beta * mean(undesirable.map(logRatio)),
    accuracy: mean(answers.map(isRight)),
    logpChosen: mean(desirable.map(({ lp }) => sum(lp))),
    logpRejected: mean(undesirable.map(({ lp }) => sum(lp))),
    divergence,
  };
  return { loss, coefficients, findings };
}
