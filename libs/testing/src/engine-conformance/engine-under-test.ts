import type { StoredPart, TrainingEngine } from '@hone/engine';

/** One answer that the served model gave. */
export interface SampledAnswer {
  readonly ids: readonly number[];
  /** Raw log-probability of each id. */
  readonly logprobs: readonly number[];
}

/** An engine, and what the suite needs around it. */
export interface EngineUnderTest {
  readonly engine: TrainingEngine;
  /** Id of a base model that the engine has. */
  readonly baseModel: string;
  readonly vocabSize: number;
  /** How far importance ratios of fresh answers may be from 1, the largest and their mean; default: rounding of float32. */
  readonly servedRatioErrors?: { readonly largest: number; readonly mean: number };
  /** Folder for plans and outputs; removed by the caller. */
  readonly folder: string;
  /**
   * Answers of the model as it is served at `checkpoint` (null: the base), at temperature 1 or greedily (0).
   *
   * @param prompts token ids; the answers are in their order
   */
  sample(
    checkpoint: StoredPart | null,
    prompts: readonly (readonly number[])[],
    options: { maxTokens: number; temperature: 0 | 1; seed: number },
  ): Promise<SampledAnswer[]>;
}
