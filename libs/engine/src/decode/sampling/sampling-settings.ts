/** How the next token of a choice is chosen. */
export interface SamplingSettings {
  /** Divides the logits. Below 1e-5 decoding is greedy and the next three fields have no effect. */
  readonly temperature: number;
  /** The smallest set of likeliest tokens with at least this probability together, (0, 1]; 1 is off. */
  readonly topP: number;
  /** Keeps this many likeliest tokens; 0 and -1 are off. */
  readonly topK: number;
  /** Tokens at least this likely, relative to the likeliest, 0 to 1; 0 is off. */
  readonly minP: number;
  /** Subtracted from a token's logit for each time it was generated. */
  readonly frequencyPenalty: number;
  /** Subtracted once from the logit of a token that was generated. */
  readonly presencePenalty: number;
  /** Above 1 makes tokens of prompt and answer less likely; 1 is off. */
  readonly repetitionPenalty: number;
  /** Token id -> added to its logit. */
  readonly logitBias: ReadonlyMap<number, number>;
  /** The only allowed tokens; null: all. */
  readonly allowedTokenIds: readonly number[] | null;
  /** Texts that the answer never contains. */
  readonly badWords: readonly string[];
  /** Tokens to generate before an end token is allowed. */
  readonly minTokens: number;
  /** Equal seeds draw equal answers; taken modulo 2^64. */
  readonly seed: bigint;
}

export const GREEDY_BELOW = 1e-5;

/** Everything off: drawing from the model's own distribution. */
export const PLAIN_SAMPLING: SamplingSettings = {
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
  logitBias: new Map(),
  allowedTokenIds: null,
  badWords: [],
  minTokens: 0,
  seed: 0n,
};
