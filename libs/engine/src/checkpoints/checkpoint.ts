import type { Weights } from '../tensor.js';

import type { LoraAdapter } from './lora-adapter.js';

/** Moments of AdamW by the name of the trained tensor; both have the shape of the tensor. */
export interface OptimizerMoments {
  readonly m: Weights;
  readonly v: Weights;
}

/** The JSON state that a run needs to resume exactly where it stopped, in addition to weights and moments. */
export interface CheckpointState {
  /** Gradient steps that the job had taken, an integer >= 0. */
  readonly step: number;
  /** Optimiser steps that the moments have seen; 0 without moments. */
  readonly optimizerSteps: number;
  /** State of the random numbers, in a form of its owner's choice. */
  readonly rng: unknown;
  /** Configuration of the run. */
  readonly config: unknown;
}

/** The trained weights: an adapter beside the base model, or all weights. */
export type TrainedWeights =
  { readonly kind: 'lora'; readonly adapter: LoraAdapter } | { readonly kind: 'full'; readonly weights: Weights };

export interface CheckpointParts {
  readonly trained: TrainedWeights;
  /** Null: a later run starts with fresh moments. */
  readonly optimizer: OptimizerMoments | null;
  readonly state: CheckpointState;
}

export const OPTIMIZER_FILE = 'optimizer.safetensors';
export const STATE_FILE = 'state.json';
