import type { TokenLogProbability } from '../sampling/log-probabilities.js';

/** One token with its raw log-probability and the likeliest tokens at its position. */
export interface TokenReport extends TokenLogProbability {
  readonly top: readonly TokenLogProbability[];
}

/** The same for a token of the prompt. */
export interface PromptTokenReport extends TokenReport {
  /** 1 + how many tokens were likelier. */
  readonly rank: number;
}

/** Prefill is done; the first event of a generation. */
export interface PromptEvent {
  readonly kind: 'prompt';
  readonly promptTokens: number;
  /** How many of them were taken from the prefix cache. */
  readonly cachedTokens: number;
  /** Null for the first token and when not asked for. */
  readonly logProbabilities: readonly (PromptTokenReport | null)[] | null;
}

/** More of a choice: text, and the tokens whose text is complete with it. */
export interface TextEvent {
  readonly kind: 'text';
  readonly choice: number;
  readonly text: string;
  readonly ids: readonly number[];
  /** One per id; null when not asked for. */
  readonly logProbabilities: readonly TokenReport[] | null;
}

/** The end of a choice. */
export interface FinishEvent {
  readonly kind: 'finish';
  readonly choice: number;
  readonly finishReason: 'stop' | 'length';
  /** The stop string, the stop token's id, or `repetition_detected`; null for an end token and for `length`. */
  readonly stopReason: string | number | null;
  /** Tokens of the choice, the one that ended it included. */
  readonly completionTokens: number;
}

export type GenerationEvent = PromptEvent | TextEvent | FinishEvent;
