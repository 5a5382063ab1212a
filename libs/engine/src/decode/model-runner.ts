import type { CacheRows } from './cache/cache-rows.js';
import type { KeyValues } from './cache/key-values.js';

/** Predictions of the next token after each of several tokens. */
export interface Predictions {
  /** Raw log-probabilities `[tokens, vocabSize]`. */
  readonly logProbabilities: Float32Array;
  /** `[tokens]`: added to a log-probability it gives the raw logit. */
  readonly logPartition: Float32Array;
}

/** Weights and the decoder that computes with them. */
export interface ModelRunner {
  /** Rows of runners of one group can decode in one step. */
  readonly group: object;
  /** Minimum number of rows of a step, see CacheRows. */
  readonly minRows: 1 | 2;

  /**
   * Reads tokens of one sequence after its past.
   *
   * @param past keys and values of the tokens before, in order
   * @param wanted indices into `ids`: predictions of what follows these, in this order
   * @returns predictions, and the keys and values of `ids`
   */
  readPrompt(
    past: readonly KeyValues[],
    ids: readonly number[],
    wanted: readonly number[],
  ): Promise<Predictions & { keyValues: KeyValues }>;

  /**
   * Reads one token of each row. The cache stays as it is until the caller appends the new rows to it.
   *
   * @param runners per row of `cache`: whose weights it has; all of this group
   * @param ids per row
   * @param positions per row: how many tokens the row holds
   * @returns predictions, and what CacheRows takes as new rows
   */
  step(
    runners: readonly ModelRunner[],
    cache: CacheRows,
    ids: readonly number[],
    positions: readonly number[],
  ): Promise<Predictions & { newRows: Float32Array }>;
}
