import type { PlanRow } from '../plan/plan.js';
import type { PreferenceLossConfig } from '../plan/preference-config.js';
import type { Scorer } from '../train/train-sequence.js';
import type { Trainer } from '../train/trainer.js';
import { referenceSums, type ScoredPreferences, scorePreferences, stepPreferences } from './preference-row.js';

/**
 * Scores the rows of a job that learns from preferences. The reference scores each row once, before its first step, and
 * only its sums are kept: an attempt that resumes computes the same ones again, because the reference never changes.
 */
export class PreferenceSteps {
  /** Sums under the reference, by the row of the first epoch. */
  private readonly sums = new Map<number, readonly number[]>();

  /** @param referenceOf the reference for the row of an index, from 0; null: the loss has none */
  constructor(
    private readonly settings: PreferenceLossConfig,
    private readonly referenceOf: (row: number) => Scorer | null,
  ) {}

  async score(planned: PlanRow, learner: Scorer): Promise<ScoredPreferences> {
    return scorePreferences(this.settings, planned.sequences, learner, await this.sumsOf(planned));
  }

  /** @throws NonFiniteLossError, NonFiniteUpdateError */
  async step(planned: PlanRow, learner: Trainer, learningRate: number): ReturnType<typeof stepPreferences> {
    return stepPreferences(this.settings, planned.sequences, learner, await this.sumsOf(planned), learningRate);
  }

  private async sumsOf({ row, repeats, sequences }: PlanRow): Promise<readonly number[]> {
    const first = repeats ?? row;
    const sums = this.sums.get(first) ?? (await referenceSums(sequences, this.referenceOf(first)));
    this.sums.set(first, sums);
    return sums;
  }
}
