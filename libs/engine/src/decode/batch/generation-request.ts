import type { ConstraintSource } from '../constraints/constraint.js';
import type { RepetitionLimits } from '../ending/repetition.js';
import { PLAIN_SAMPLING, type SamplingSettings } from '../sampling/sampling-settings.js';

/** What to generate. Plain data: it crosses threads. */
export interface GenerationRequest {
  /** At least one token. */
  readonly promptIds: readonly number[];
  /** Answers to generate, at least 1. Choice i draws with `sampling.seed` + i. */
  readonly choices: number;
  /** Tokens per choice; null, or more than fits: the rest of the context. */
  readonly maxTokens: number | null;
  readonly sampling: SamplingSettings;
  /**
   * The same request gets the same answer to the last bit, whatever decodes beside it, but for other adapters of a packed
   * model: how many of them there are decides in which order products with them are summed. A step of a packed model's
   * lone row takes up to 1.4 times as long so.
   */
  readonly isReproducible: boolean;
  readonly ending: EndingRules;
  /** How token ids become text. */
  readonly text: { readonly skipSpecialTokens: boolean; readonly spacesBetweenSpecialTokens: boolean };
  /** How many of the likeliest tokens to report with each generated one, -1: all; null: no log-probabilities. */
  readonly topLogProbabilities: number | null;
  /** The same for the tokens of the prompt. Then the prefix cache is not used. */
  readonly promptLogProbabilities: number | null;
  /** The constraint on the answer's text; null: none. */
  readonly constraint: ConstraintSource | null;
  /** Lower starts first; of equal ones the earlier. */
  readonly priority: number;
  /** Only requests with the same salt share cached prompts. */
  readonly cacheSalt: string | null;
}

/** What ends a choice, besides its length. */
export interface EndingRules {
  readonly stop: readonly string[];
  readonly stopTokenIds: readonly number[];
  /** The stop string, or the text of the stop token, belongs to the answer. */
  readonly includeStop: boolean;
  /** The model's own end tokens do not end the answer. */
  readonly ignoreEos: boolean;
  readonly repetition: RepetitionLimits;
}

export const PLAIN_ENDING: EndingRules = {
  stop: [],
  stopTokenIds: [],
  includeStop: false,
  ignoreEos: false,
  repetition: { maxPatternSize: 0, minPatternSize: 0, minCount: 0 },
};

/** One answer, drawn from the model's own distribution until it ends: everything but the prompt. */
export const PLAIN_REQUEST: Omit<GenerationRequest, 'promptIds'> = {
  choices: 1,
  maxTokens: null,
  sampling: PLAIN_SAMPLING,
  isReproducible: false,
  ending: PLAIN_ENDING,
  text: { skipSpecialTokens: true, spacesBetweenSpecialTokens: true },
  topLogProbabilities: null,
  promptLogProbabilities: null,
  constraint: null,
  priority: 0,
  cacheSalt: null,
};
