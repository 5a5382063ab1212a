import type { WeightForm } from '../blocks/index.js';
import type { RunResult, StepMetrics } from './training-engine.js';
import type { StoredPart, TrainingSpec } from './training-spec.js';

/** Messages to the process of a training job. */
export type ToChild =
  | {
      /** A job with this base model is expected: `start` may name it. */
      readonly type: 'load';
      readonly baseDirectory: string;
      readonly maxParams: number;
      readonly weights: WeightForm;
    }
  | {
      readonly type: 'start';
      readonly spec: TrainingSpec;
      /** Folder of the base model. */
      readonly baseDirectory: string;
      readonly maxParams: number;
      readonly weights: WeightForm;
      readonly threads: number;
      /** Memory limit of the process, in bytes; null: see chooseRunner. */
      readonly memoryBytes: number | null;
    }
  | { readonly type: 'drain' };

/** Messages from the process of a training job. After `ended` or `failed` it exits. */
export type FromChild =
  | { readonly type: 'step'; readonly k: number; readonly metrics: StepMetrics }
  | { readonly type: 'checkpoint'; readonly k: number; readonly part: StoredPart }
  | { readonly type: 'resumePoint'; readonly k: number; readonly part: StoredPart }
  | { readonly type: 'ended'; readonly result: RunResult }
  | { readonly type: 'failed'; readonly code: string; readonly message: string };
