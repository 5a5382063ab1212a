import type { TrainingEngine } from '@hone/engine';
import type { EngineChoice } from '@hone/training-jobs';

/** An engine as a worker uses it. */
export interface JobEngine {
  readonly name: string;
  /** What a model that it trains keeps as its engine; null: the embedded engine. */
  readonly remoteName: string | null;
  readonly training: TrainingEngine;
  /** Jobs at once. */
  readonly concurrency: number;
  /** Which jobs are for it. */
  readonly choice: EngineChoice;
  /** Largest base model that it trains; null: a server has the weights, and Hone reads the configuration alone. */
  readonly maxParams: number | null;
  /**
   * Folder of a base model's configuration and tokenizer.
   *
   * @throws EngineError it is in none of the folders
   */
  findBase(baseModel: string, signal: AbortSignal): Promise<string>;
  /** Whether it can take jobs now. */
  isReachable(signal: AbortSignal): Promise<boolean>;
}
