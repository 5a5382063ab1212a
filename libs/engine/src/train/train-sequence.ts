/** One sequence of a row as the graphs take it. Per-token arrays follow the order of `trained`. */
export interface TrainSequence {
  /** Token ids, prompt and answers. */
  readonly ids: ArrayLike<number>;
  /** Indices in `ids` of the trained tokens, ascending, each at least 1. */
  readonly trained: ArrayLike<number>;
  /** The token's share in the row's loss: its weight over the row's number of trained tokens. */
  readonly weight: ArrayLike<number>;
  /** Log-probability under the policy that produced the token; NaN: unknown. Reinforcement learning only. */
  readonly old?: ArrayLike<number>;
  readonly advantage?: ArrayLike<number>;
  /** e^(old - logged) where `old` was taken anew under the parent; NaN: no such value. */
  readonly drift?: ArrayLike<number>;
}

/** The results of a pass over a sequence, per trained token. */
export interface TokenScores {
  /** Raw log-probability under the weights before the step. */
  readonly lp: Float32Array;
  /** Entropy of the distribution the token was taken from, in nats. */
  readonly entropy: Float32Array;
}

/** Computes log-probabilities of trained tokens under its weights. */
export interface Scorer {
  score(row: readonly TrainSequence[]): Promise<readonly Pick<TokenScores, 'lp'>[]>;
}

/** {@link TokenScores}, and the log-probability of the likeliest token at the same position. */
export interface RankedTokenScores extends TokenScores {
  readonly best: Float32Array;
}

/** Weights of a row's tokens that its own log-probabilities decide, as those of losses of preferences. */
export interface LateWeights {
  /** Indices of the sequences whose weights depend on one another; null: those of all depend on all. */
  readonly groups: readonly (readonly number[])[] | null;
  /**
   * @param members indices of whole groups
   * @param scores of these members
   * @returns for each member the weights of its trained tokens; null: it is not trained
   */
  of(members: readonly number[], scores: readonly Pick<TokenScores, 'lp'>[]): readonly (ArrayLike<number> | null)[];
}
