import type { PlannedSequence } from '../plan/plan.js';
import type { Scorer } from '../train/train-sequence.js';
import { PreferenceValidation } from './preference-validation.js';
import type { TrainingSpec } from './training-spec.js';
import { type HeldOut, Validation } from './validation.js';

/** Null: the plan holds nothing out. @param reference of a preference loss; null: the loss has none */
export function heldOutOf(
  { preference, validation }: Pick<TrainingSpec, 'preference' | 'validation'>,
  sequences: readonly PlannedSequence[],
  reference: Scorer | null,
): HeldOut | null {
  if (sequences.length === 0) return null;
  const every = validation?.every ?? null;
  return preference
    ? new PreferenceValidation(preference, sequences, every, reference)
    : new Validation(sequences, every);
}
