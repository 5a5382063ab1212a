import type { TrainingEngine } from '@hone/engine';
import type { EngineChoice } from '@hone/training-jobs';

/** An engine as a worker uses it. */
export interface JobEngine {
  readonly name: string;
  /** Name of the engine, which a model that it trains keeps; null: the embedded engine. */
  readonly remoteName: string | null;
  readonly training: TrainingEngine;
  /** Jobs that it runs concurrently. */
  readonly concurrency: number;
  /** Filter of the jobs that it takes. */
  readonly choice: EngineChoice;
  /** Largest base model that it trains; null: a server has the weights, and Hone reads the configuration alone. */
  readonly maxParams: number | null;
  /**
   * Folder of a base model's configuration and tokenizer.
   *
   * @throws EngineError it is in none of the folders
   */
  findBase(baseModel: string, signal: AbortSignal): Promise<string>;
  /** Whether it is reachable and has capacity. */
  isReachable(signal: AbortSignal): Promise<boolean>;
}
