import {
  type PreferenceFindings,
  type PreferenceLoss,
  preferenceLoss,
  type PreferenceSequence,
} from '../loss/index.js';
import { sum } from '../loss/preference/sums.js';
import type { PlannedSequence } from '../plan/plan.js';
import type { PreferenceLossConfig } from '../plan/preference-config.js';
import type { Scorer, TrainSequence } from '../train/train-sequence.js';
import { toScored } from './scored-sequences.js';

/** A row of preferences before its gradient step. */
export interface ScoredPreferences {
  readonly loss: number;
  /** The answers with their coefficients as weights: cross entropy with these weights has the gradient of the loss. */
  readonly answers: readonly TrainSequence[];
  readonly findings: PreferenceFindings;
  /** Mean over the tokens of the answers of the log-probability ratios to the reference; NaN: there is none. */
  readonly meanKl: number;
}

/** Sums of log-probabilities under the reference, one for each sequence; NaN: the loss has no reference. */
export async function referenceSums(
  sequences: readonly PlannedSequence[],
  reference: Scorer | null,
): Promise<readonly number[]> {
  if (reference === null) return sequences.map(() => NaN);
  return (await reference.score(toScored(sequences))).map(({ lp }) => sum(lp));
}

/**
 * Computes the loss of a row from the log-probabilities of its answers under the learner.
 *
 * @param reference see {@link referenceSums}
 */
export async function scorePreferences(
  settings: PreferenceLossConfig,
  sequences: readonly PlannedSequence[],
  learner: Scorer,
  reference: readonly number[],
): Promise<ScoredPreferences> {
  const row = toScored(sequences);
  const scores = await learner.score(row);
  const scored = sequences.map(({ role = 'chosen', weight }, at): PreferenceSequence => ({
    role,
    weight,
    lp: scores[at]?.lp ?? [],
    reference: reference[at] ?? NaN,
  }));
  const { loss, coefficients, findings } = preferenceLoss(toLoss(settings), scored);
  const isAnswer = (_: unknown, at: number): boolean => scored[at]?.role !== 'mismatched';
  const answers = scored.filter(isAnswer);
  const tokens = answers.reduce((total, { lp }) => total + lp.length, 0);
  return {
    loss,
    answers: row.map((sequence, at) => ({ ...sequence, weight: coefficients[at] as Float64Array })).filter(isAnswer),
    findings,
    meanKl: answers.reduce((total, one) => total + sum(one.lp) - one.reference, 0) / tokens,
  };
}

const toLoss = ({ method, beta, label_smoothing: labelSmoothing, lambda }: PreferenceLossConfig): PreferenceLoss => ({
  method,
  beta,
  labelSmoothing,
  lambda,
});
