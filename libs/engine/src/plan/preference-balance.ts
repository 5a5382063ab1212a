import type { PreferenceConfig } from './preference-config.js';
import type { RenderedPreference } from './preference-sequences.js';

/** Weights of the two kinds of answers of KTO, which each line's own weight is multiplied by. */
export interface AnswerWeights {
  readonly desirable: number;
  readonly undesirable: number;
}

/** One answer against thousands of the other kind would decide every step that it is in. */
const MAX_BALANCE = 100;

/**
 * The weights of liked and disliked answers. Where the settings name none, the rarer kind weighs more, so that both
 * weigh the same in all. Source: Ethayarajh et al. (2024), section 4.2, whose range of ratios begins at 1.
 *
 * @param lines that are trained
 * @returns null: the method compares pairs
 */
export function answerWeights(config: PreferenceConfig, lines: readonly RenderedPreference[]): AnswerWeights | null {
  if (config.method !== 'kto') return null;
  const weightOf = (role: string) =>
    lines.flatMap(({ sequences }) => sequences).reduce((sum, one) => sum + (one.role === role ? one.weight : 0), 0);
  const [liked, disliked] = [weightOf('desirable'), weightOf('undesirable')];
  const isOneSided = liked === 0 || disliked === 0;
  return {
    desirable: config.desirable_weight ?? (isOneSided ? 1 : Math.min(MAX_BALANCE, Math.max(1, disliked / liked))),
    undesirable: config.undesirable_weight ?? (isOneSided ? 1 : Math.min(MAX_BALANCE, Math.max(1, liked / disliked))),
  };
}
