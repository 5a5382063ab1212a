import { ktoLoss } from './kto-loss.js';
import { pairLoss } from './pair-loss.js';
import type { PreferenceLoss, PreferenceResult, PreferenceSequence, PreferenceSizes } from './preference-sequence.js';

export type {
  PreferenceFindings,
  PreferenceLoss,
  PreferenceResult,
  PreferenceRole,
  PreferenceSequence,
  PreferenceSizes,
} from './preference-sequence.js';

/**
 * The loss of a row of preferences in float64, from log-probabilities alone, with its gradient: an engine that knows
 * nothing of losses can take the step.
 *
 * @param row at least one pair, or one answer
 * @param whole sizes of the row of which these are some pairs; null: they are all of it, as the answers of KTO must be
 */
export function preferenceLoss(
  settings: PreferenceLoss,
  row: readonly PreferenceSequence[],
  whole: PreferenceSizes | null = null,
): PreferenceResult {
  const { method } = settings;
  return method === 'kto' ? ktoLoss(settings, row) : pairLoss({ ...settings, method }, row, whole);
}
