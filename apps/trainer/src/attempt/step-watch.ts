import type { StepMetrics } from '@hone/engine';
import type { JobWarning } from '@hone/training-jobs';

/** Entropy, in nats, that exceeds the first step's by this factor and by this amount: the policy answers at random. */
const ENTROPY_FACTOR = 3;
const ENTROPY_NATS = 1;
/** Effective sample size as a share of the tokens: 1 on policy. */
const MIN_SAMPLE_SIZE = 0.5;

/** Finds trouble in the gradient steps of a reinforcement learning job; each kind is reported once. */
export class StepWatch {
  private firstEntropy: number | null = null;
  private readonly reported = new Set<string>();

  /** @returns what is new */
  look(metrics: StepMetrics): JobWarning[] {
    const { entropy, 'offpolicy/ess': sampleSize } = metrics;
    const found = [this.entropyWarning(entropy), sampleSizeWarning(sampleSize)];
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
