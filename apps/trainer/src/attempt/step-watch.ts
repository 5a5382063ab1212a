import type { PreferenceConfig, StepMetrics } from '@hone/engine';
import type { JobWarning } from '@hone/training-jobs';

/** Entropy, in nats, that exceeds the first step's by this factor and by this amount: the policy answers at random. */
const ENTROPY_FACTOR = 3;
const ENTROPY_NATS = 1;
/** Effective sample size as a share of the tokens: 1 on policy. */
const MIN_SAMPLE_SIZE = 0.5;

/** Gradient steps over which rewards of chosen answers are averaged. */
const WINDOW = 10;
/** By how many nats a chosen answer has become less likely than under the reference, in the mean over a window. */
const FALLEN_NATS = 5;
/** With fewer pairs a step may rank all of them by chance. */
const MIN_PAIRS = 4;

/** What a job that learns from preferences is watched by. */
export type WatchedPreference = Pick<PreferenceConfig, 'method' | 'reference' | 'beta'>;

/** Finds trouble in the gradient steps of a job; each kind is reported once. */
export class StepWatch {
  private firstEntropy: number | null = null;
  private readonly chosen: number[] = [];
  private readonly reported = new Set<string>();

  /** @param preference null: another kind of job */
  constructor(private readonly preference: WatchedPreference | null = null) {}

  /** @param k the gradient step, from 1. @returns what is new */
  look(k: number, metrics: StepMetrics): JobWarning[] {
    const { entropy, 'offpolicy/ess': sampleSize } = metrics;
    const found = [
      this.entropyWarning(entropy),
      sampleSizeWarning(sampleSize),
      ...(this.preference
        ? [knownWarning(k, metrics, this.preference), this.leavingWarning(metrics, this.preference)]
        : []),
    ];
    this.firstEntropy ??= entropy ?? null;
    return found.filter((warning) => warning !== null).filter(({ code }) => this.isNew(code));
  }

  private entropyWarning(entropy: number | undefined): JobWarning | null {
    const first = this.firstEntropy;
    if (first === null || entropy === undefined) return null;
    if (entropy < first * ENTROPY_FACTOR || entropy < first + ENTROPY_NATS) return null;
    return {
      code: 'training.entropy_exploded',
      message: `The entropy of the policy rose from ${first.toPrecision(3)} to ${entropy.toPrecision(3)} nats: its answers become random.`,
      hint: 'Lower learning_rate, or set kl_penalty_coef; start again from an earlier step with parent_step.',
      loc: ['experimental_config', 'learning_rate'],
    };
  }

  /** Of ORPO, which has no reference, nothing is known. */
  private leavingWarning(metrics: StepMetrics, { method, beta }: WatchedPreference): JobWarning | null {
    const { 'rewards/chosen': reward, 'rewards/margin': margin } = metrics;
    if (method === 'orpo' || reward === undefined || margin === undefined) return null;
    if (this.chosen.push(reward / beta) > WINDOW) this.chosen.shift();
    const fallen = -mean(this.chosen);
    if (this.chosen.length < WINDOW || !(fallen > FALLEN_NATS && margin > 0)) return null;
    return {
      code: 'training.over_optimised',
      message: `Chosen answers have become less likely than at the reference by ${fallen.toPrecision(3)} nats, and rejected ones even less: the model leaves both.`,
      hint: 'Lower learning_rate, raise beta, or take fewer epochs; start again from an earlier step with parent_step.',
      loc: ['config', 'learning_rate'],
    };
  }

  private isNew(code: string): boolean {
    const isNew = !this.reported.has(code);
    this.reported.add(code);
    return isNew;
  }
}

function sampleSizeWarning(sampleSize: number | undefined): JobWarning | null {
  if (sampleSize === undefined || sampleSize >= MIN_SAMPLE_SIZE) return null;
  return {
    code: 'training.low_sample_size',
    message: `The effective sample size is ${(100 * sampleSize).toPrecision(3)} % of the tokens of a step: the policy that is trained would answer otherwise.`,
    hint: 'Sample from the latest checkpoint, take fewer epochs or larger minibatches, or lower learning_rate.',
    loc: ['experimental_config'],
  };
}

/**
 * Measured from the base, a parent that ranks every pair right before the first update has seen the pairs. Measured from
 * the parent itself all pairs tie there.
 */
function knownWarning(
  k: number,
  { 'rewards/accuracy': accuracy, num_trajectories: pairs }: StepMetrics,
  { method, reference }: WatchedPreference,
): JobWarning | null {
  const isMeasured = (method === 'dpo' || method === 'ipo') && reference === 'base';
  if (k > 1 || !isMeasured || accuracy !== 1 || (pairs ?? 0) < MIN_PAIRS) return null;
  return {
    code: 'training.preferences_known',
    message: 'The first step ranks every pair right before anything is learnt: the parent has seen these preferences.',
    hint: 'Train on pairs that the parent was not trained on.',
    loc: ['training_data_url'],
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
