import type { TrainingJobKind } from '@hone/contracts';

import type { StoredPart, TrainingSpec } from './training-spec.js';

/** Names and finite numbers of one gradient step. */
export type StepMetrics = Readonly<Record<string, number>>;

/** Receives the reports of an engine. A method that rejects ends the run with its error. */
export interface TrainingSink {
  /** Gradient step `k`, counted from 1, is done. */
  step(k: number, metrics: StepMetrics): Promise<void>;
  /**
   * A checkpoint on the way, after the step `k` that was reported before. A later attempt reports it again, unless it
   * resumes at `k` or beyond.
   */
  checkpoint(k: number, part: StoredPart): Promise<void>;
  /** An attempt that starts with `resume` at this point repeats nothing before it. */
  resumePoint(k: number, part: StoredPart): Promise<void>;
  log(text: string): void;
}

export interface RunSignals {
  /** Stops at once; earlier reports stay valid. */
  readonly cancel: AbortSignal;
  /** Stops after the step under way, with a resume point. */
  readonly drain?: AbortSignal;
}

/** How a successful run ended. */
export type RunResult =
  { readonly status: 'finished'; readonly checkpoint: StoredPart } | { readonly status: 'drained' };

export interface EngineCapabilities {
  readonly kinds: readonly TrainingJobKind[];
  /** Tokens of the longest sequence it takes; the base model's own limit may be lower. */
  readonly maxContext: number;
  readonly lora: boolean;
  /** Equal specs give equal bytes on one machine. */
  readonly deterministic: boolean;
}

/** The port of training engines: the embedded engine, or one on other machines. */
export interface TrainingEngine {
  capabilities(): EngineCapabilities;
  /** Whether the base model can be loaded; cheap, reads no weights. */
  supports(baseModel: string): Promise<boolean>;
  /**
   * Prepares for a run that is expected within seconds: the engine may load what does not depend on its specification.
   *
   * @throws EngineError the model cannot be found
   */
  prepare(baseModel: string): Promise<void>;
  /**
   * Carries out one attempt.
   *
   * @throws EngineError with a stable code
   * @throws the reason of `signals.cancel`
   * @throws whatever the sink rejected with
   */
  run(spec: TrainingSpec, signals: RunSignals, sink: TrainingSink): Promise<RunResult>;
}
