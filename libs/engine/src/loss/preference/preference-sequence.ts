import type { PreferenceMethod } from '@hone/contracts';

/**
 * The part of a sequence in a row of preferences. `chosen` and `rejected` come in pairs, the chosen answer first;
 * `desirable` and `undesirable` answers stand alone; `mismatched`: a prompt with the answer of another row, from which
 * KTO estimates how far the policy is from the reference. It is scored, not trained.
 */
export type PreferenceRole = 'chosen' | 'rejected' | 'desirable' | 'undesirable' | 'mismatched';

/** An answer as a preference loss sees it. */
export interface PreferenceSequence {
  readonly role: PreferenceRole;
  /** Log-probability now of each trained token. */
  readonly lp: ArrayLike<number>;
  /** Sum of the log-probabilities under the reference; NaN: the loss has no reference. */
  readonly reference: number;
  /** Weight of the pair or answer in the loss of its row; both sequences of a pair have the same. */
  readonly weight: number;
}

/** What the means over a row of pairs divide by. */
export interface PreferenceSizes {
  readonly pairs: number;
  /** Trained tokens of all chosen answers. */
  readonly chosenTokens: number;
}

/** The settings of a job that its preference loss depends on. */
export interface PreferenceLoss {
  readonly method: PreferenceMethod;
  /** Strength of the pull towards the reference: of IPO the paper's tau. Without effect for ORPO. */
  readonly beta: number;
  /** DPO: the share of pairs that are assumed to be labelled the wrong way round, from 0, below 0.5. */
  readonly labelSmoothing: number;
  /** ORPO: weight of the odds ratio beside the cross entropy of the chosen answer. */
  readonly lambda: number;
}

/** What a row of preferences shows beside its loss. Means over pairs, or over answers; NaN where there is none. */
export interface PreferenceFindings {
  /** Mean implicit reward of the chosen or desirable answers, `beta * (policy - reference)`; of ORPO `lambda` times its log-probability per token. */
  readonly rewardChosen: number;
  /** The same of the rejected or undesirable answers. */
  readonly rewardRejected: number;
  /** Share of pairs whose chosen answer has the higher reward; of KTO the share of answers on their side of the estimated divergence. */
  readonly accuracy: number;
  /** Mean log-probability, summed over the tokens, of the chosen or desirable answers. */
  readonly logpChosen: number;
  /** The same of the rejected or undesirable answers. */
  readonly logpRejected: number;
  /** KTO: the estimate of the divergence from the reference, 0 or more. NaN: another method. */
  readonly divergence: number;
}

/** A preference loss and its gradient by the log-probabilities. */
export interface PreferenceResult {
  readonly loss: number;
  /** `-d loss / d lp` per trained token, in the order of the sequences; zeros for mismatched ones. */
  readonly coefficients: readonly Float64Array[];
  readonly findings: PreferenceFindings;
}
