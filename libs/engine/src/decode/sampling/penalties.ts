import type { SamplingSettings } from './sampling-settings.js';
import type { TokenHistory } from './token-history.js';

export function hasPenalties(settings: SamplingSettings): boolean {
  const { repetitionPenalty, frequencyPenalty, presencePenalty } = settings;
  return repetitionPenalty !== 1 || frequencyPenalty !== 0 || presencePenalty !== 0;
}

/**
 * Repetition, then frequency and presence, in place.
 * Sources: Keskar et al., "CTRL" (2019) for repetition; the OpenAI API reference for the other two.
 *
 * @param logits raw logits, not log-probabilities: the repetition penalty turns at zero
 */
export function applyPenalties(logits: Float32Array, settings: SamplingSettings, history: TokenHistory): void {
  const { repetitionPenalty, frequencyPenalty, presencePenalty } = settings;
  if (repetitionPenalty !== 1) {
    for (const id of history.seen()) {
      const logit = logits[id] ?? 0;
      logits[id] = logit > 0 ? logit / repetitionPenalty : logit * repetitionPenalty;
    }
  }
  if (frequencyPenalty === 0 && presencePenalty === 0) return;
  for (const [id, count] of history.generated) {
    logits[id] = (logits[id] ?? 0) - frequencyPenalty * count - presencePenalty;
  }
}
