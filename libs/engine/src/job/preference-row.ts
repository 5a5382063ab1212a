import {
  type PreferenceFindings,
  type PreferenceLoss,
  preferenceLoss,
  type PreferenceSequence,
} from '../loss/index.js';
import { sum } from '../loss/preference/sums.js';
import type { PlannedSequence } from '../plan/plan.js';
import type { PreferenceLossConfig } from '../plan/preference-config.js';
import type { LateWeights, Scorer, TokenScores, TrainSequence } from '../train/train-sequence.js';
import type { Trainer } from '../train/trainer.js';
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
  return toPreferences(settings, sequences, row, await learner.score(row), reference);
}

/**
 * Takes the gradient step of a row.
 *
 * @param reference see {@link referenceSums}
 */
export async function stepPreferences(
  settings: PreferenceLossConfig,
  sequences: readonly PlannedSequence[],
  learner: Pick<Trainer, 'stepWeighed'>,
  reference: readonly number[],
  learningRate: number,
): Promise<{ readonly scored: ScoredPreferences; readonly gradientNorm: number }> {
  const row = toScored(sequences);
  const weights = weightsOf(settings, sequences, row, reference);
  const { scores, gradientNorm } = await learner.stepWeighed(row, weights, learningRate);
  return { scored: toPreferences(settings, sequences, row, scores, reference), gradientNorm };
}

/** A pair has a loss of its own; in KTO the divergence, of which all mismatched answers tell, is in the loss of each. */
function weightsOf(
  settings: PreferenceLossConfig,
  sequences: readonly PlannedSequence[],
  row: readonly TrainSequence[],
  reference: readonly number[],
): LateWeights {
  const chosen = sequences.flatMap(({ role }, at) => (role === 'chosen' ? [at] : []));
  const tokensOf = (at: number) => row[at]?.trained.length ?? 0;
  const whole = { pairs: chosen.length, chosenTokens: sum(chosen.map(tokensOf)) };
  return {
    groups: settings.method === 'kto' ? null : chosen.map((at) => [at, at + 1]),
    of(members, scores) {
      const part = members.map((index, at) => toPreference(sequences[index], scores[at], reference[index]));
      const { coefficients } = preferenceLoss(toLoss(settings), part, whole);
      return part.map(({ role }, at) => (role === 'mismatched' ? null : (coefficients[at] as Float64Array)));
    },
  };
}

function toPreferences(
  settings: PreferenceLossConfig,
  sequences: readonly PlannedSequence[],
  row: readonly TrainSequence[],
  scores: readonly Scores[],
  reference: readonly number[],
): ScoredPreferences {
  const scored = sequences.map((sequence, at) => toPreference(sequence, scores[at], reference[at]));
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

type Scores = Pick<TokenScores, 'lp'>;

const toPreference = (
  sequence: PlannedSequence | undefined,
  scores: Scores | undefined,
  reference = NaN,
): PreferenceSequence => ({
  role: sequence?.role ?? 'chosen',
  weight: sequence?.weight ?? NaN,
  lp: scores?.lp ?? [],
  reference,
});

const toLoss = ({ method, beta, label_smoothing: labelSmoothing, lambda }: PreferenceLossConfig): PreferenceLoss => ({
  method,
  beta,
  labelSmoothing,
  lambda,
});
