import type { StepMetrics } from '@hone/engine';
import type { JobWarning } from '@hone/training-jobs';

/** Entropy, in nats, that exceeds the first step's by this factor and by this amount: the policy answers at random. */
const ENTROPY_FACTOR = 3;
const ENTROPY_NATS = 1;
/** Effective sample size as a share of the tokens: 1 on policy. */
const MIN_SAMPLE_SIZE = 0.5;

/** Gradient steps over which the log-probabilities of chosen answers are averaged. */
const WINDOW = 10;
/** By how many nats a chosen answer has become less likely, in the mean over a window. */
const FALLEN_NATS = 5;
/** With fewer pairs a step may rank all of them by chance. */
const MIN_PAIRS = 4;

/** Finds trouble in the gradient steps of a job; each kind is reported once. */
export class StepWatch {
  private firstEntropy: number | null = null;
  private steps = 0;
  private readonly chosen = new Window();
  private readonly margins = new Window();
  private readonly reported = new Set<string>();

  /** @returns what is new */
  look(metrics: StepMetrics): JobWarning[] {
    const { entropy, 'offpolicy/ess': sampleSize } = metrics;
    this.steps++;
    const found = [
      this.entropyWarning(entropy),
      sampleSizeWarning(sampleSize),
      this.leakWarning(metrics),
      this.overOptimisationWarning(metrics),
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

  /** The reference, or the order of the answers, gives away which one is chosen. */
  private leakWarning({ 'rewards/accuracy': accuracy, num_trajectories: pairs }: StepMetrics): JobWarning | null {
    if (this.steps > 1 || accuracy !== 1 || (pairs ?? 0) < MIN_PAIRS) return null;
    return {
      code: 'training.preferences_known',
      message: 'The first step ranks every pair right before anything is learnt: the model has seen these preferences.',
      hint: 'Train on pairs that the parent was not trained on, or measure from it with reference "parent".',
      loc: ['training_data_url'],
    };
  }

  private overOptimisationWarning(metrics: StepMetrics): JobWarning | null {
    const { 'logps/chosen': chosen, 'rewards/margin': margin } = metrics;
    if (chosen === undefined || margin === undefined) return null;
    const fallen = -this.chosen.risenBy(chosen);
    const risen = this.margins.risenBy(margin);
    if (!(fallen > FALLEN_NATS && risen > 0)) return null;
    return {
      code: 'training.over_optimised',
      message: `Chosen answers have become less likely by ${fallen.toPrecision(3)} nats while the margins rise: the model leaves both answers.`,
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

/** Compares the last values of a series with its first ones. */
class Window {
  private readonly first: number[] = [];
  private readonly last: number[] = [];

  /** How far the mean of the last values is above that of the first; NaN while there are too few. */
  risenBy(value: number): number {
    if (this.first.length < WINDOW) this.first.push(value);
    else if (this.last.push(value) > WINDOW) this.last.shift();
    return this.last.length < WINDOW ? NaN : mean(this.last) - mean(this.first);
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
