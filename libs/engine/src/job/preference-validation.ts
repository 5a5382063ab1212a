import type { PlannedSequence } from '../plan/plan.js';
import type { PreferenceLossConfig } from '../plan/preference-config.js';
import { validationInterval } from '../plan/validation-split.js';
import type { Scorer } from '../train/train-sequence.js';
import { referenceSums, scorePreferences } from './preference-row.js';
import { type HeldOut, isDue, type ValidationResult } from './validation.js';

/** Computes the loss of held-out preferences between gradient steps; changes no weights. */
export class PreferenceValidation implements HeldOut {
  private readonly every: number;
  private reference: Promise<readonly number[]> | null = null;

  /**
   * @param row at least one pair, or one answer
   * @param scorer of the reference; null: the loss has none
   */
  constructor(
    private readonly settings: PreferenceLossConfig,
    private readonly row: readonly PlannedSequence[],
    every: number | null,
    private readonly scorer: Scorer | null,
  ) {
    const lines = row.filter(({ role }) => role !== 'rejected' && role !== 'mismatched');
    this.every = validationInterval(every, lines.length);
  }

  /** The last step is always evaluated. */
  isDue(k: number, lastStep: number): boolean {
    return isDue(k, this.every, lastStep);
  }

  async evaluate(learner: Scorer): Promise<ValidationResult> {
    this.reference ??= referenceSums(this.row, this.scorer);
    const { loss, findings } = await scorePreferences(this.settings, this.row, learner, await this.reference);
    return { loss, metrics: { validation_accuracy: findings.accuracy } };
  }
}
