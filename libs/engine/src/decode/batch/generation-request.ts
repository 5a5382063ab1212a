import type { ConstraintSource } from '../constraints/constraint.js';
import type { RepetitionLimits } from '../ending/repetition.js';
import { PLAIN_SAMPLING, type SamplingSettings } from '../sampling/sampling-settings.js';

/** What to generate. Plain data, as it is posted to a thread. */
export interface GenerationRequest {
  /** At least one token. */
  readonly promptIds: readonly number[];
  /** Answers to generate, at least 1. Choice i draws with `sampling.seed` + i. */
  readonly choices: number;
  /** Tokens per choice; null, or more than fits: the rest of the context. */
  readonly maxTokens: number | null;
  readonly sampling: SamplingSettings;
  /**
   * The same request gets the same answer, bit for bit, whatever decodes beside it. Exception: in a packed model the
   * number of other adapters decides the order of the sums. This makes a step of the only row of a packed model take up
   * to 1.4 times as long.
   */
  readonly isReproducible: boolean;
  readonly ending: EndingRules;
  /** How token ids become text. */
  readonly text: { readonly skipSpecialTokens: boolean; readonly spacesBetweenSpecialTokens: boolean };
  /** How many of the likeliest tokens to report with each generated one, -1: all; null: no log-probabilities. */
  readonly topLogProbabilities: number | null;
  /** The same for the tokens of the prompt. The prefix cache is then not used. */
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

/** Defaults of everything but the prompt: one answer, drawn from the model's own distribution until it ends. */
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
