import { logSigmoid, sigmoid } from './logistic.js';
import type { PreferenceLoss, PreferenceSequence } from './preference-sequence.js';
import { mean, sum } from './sums.js';

/** The loss of one pair, and its derivatives by the log-probability of any token of either answer. */
export interface PairTerms {
  readonly loss: number;
  readonly byChosen: number;
  readonly byRejected: number;
}

/** The implicit rewards of a pair. */
export interface PairRewards {
  readonly chosen: number;
  readonly rejected: number;
}

type PairLoss = (settings: PreferenceLoss, chosen: PreferenceSequence, rejected: PreferenceSequence) => PairTerms;

/** Log-probability of the answer under the policy, less that under the reference. */
export const logRatio = ({ lp, reference }: PreferenceSequence): number => sum(lp) - reference;

/**
 * `-(1 - e) log s(beta h) - e log s(-beta h)` with h the difference of the log-ratios and e the label smoothing. Source:
 * Rafailov et al., "Direct Preference Optimization" (2023); the smoothed form: Mitchell, "A note on DPO with noisy
 * preferences" (2023).
 */
export const dpo: PairLoss = ({ beta, labelSmoothing }, chosen, rejected) => {
  const scaled = beta * (logRatio(chosen) - logRatio(rejected));
  const loss = -(1 - labelSmoothing) * logSigmoid(scaled) - labelSmoothing * logSigmoid(-scaled);
  const slope = beta * (labelSmoothing * sigmoid(scaled) - (1 - labelSmoothing) * sigmoid(-scaled));
  return { loss, byChosen: slope, byRejected: -slope };
};

/**
 * `(h - 1 / (2 beta))^2` with h the difference of the log-ratios per token. Source: Azar et al., "A General Theoretical
 * Paradigm to Understand Learning from Human Preferences" (2023), equation 17, with the mean over tokens that its
 * authors used and TRL has.
 */
export const ipo: PairLoss = ({ beta }, chosen, rejected) => {
  const [ofChosen, ofRejected] = [chosen.lp.length, rejected.lp.length];
  const distance = logRatio(chosen) / ofChosen - logRatio(rejected) / ofRejected - 1 / (2 * beta);
  return { loss: distance ** 2, byChosen: (2 * distance) / ofChosen, byRejected: (-2 * distance) / ofRejected };
};

/** Log-probabilities per token are kept below 0 by this: the odds of a certain answer are infinite. */
const LEAST_DOUBT = 1e-7;

/**
 * The odds ratio part of ORPO, `-lambda log s(log odds of chosen - log odds of rejected)`, odds of the geometric mean
 * probability of a token. Source: Hong et al., "ORPO: Monolithic Preference Optimization without Reference Model" (2024),
 * equations 4 and 7.
 */
export const oddsRatio: PairLoss = ({ lambda }, chosen, rejected) => {
  const [up, down] = [meanLp(chosen), meanLp(rejected)];
  const logOdds = up - Math.log(-Math.expm1(up)) - (down - Math.log(-Math.expm1(down)));
  const slope = -lambda * sigmoid(-logOdds);
  return {
    loss: -lambda * logSigmoid(logOdds),
    byChosen: slope / -Math.expm1(up) / chosen.lp.length,
    byRejected: -slope / -Math.expm1(down) / rejected.lp.length,
  };
};

const meanLp = ({ lp }: PreferenceSequence): number => Math.min(mean(lp), -LEAST_DOUBT);

/** The rewards that the events of a job report. */
export function rewardsOf(
  { method, beta, lambda }: PreferenceLoss,
  chosen: PreferenceSequence,
  rejected: PreferenceSequence,
): PairRewards {
  if (method === 'orpo') return { chosen: lambda * mean(chosen.lp), rejected: lambda * mean(rejected.lp) };
  return { chosen: beta * logRatio(chosen), rejected: beta * logRatio(rejected) };
}
