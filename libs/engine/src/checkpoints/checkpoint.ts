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

/** Trained tensors with their moments, by the tensor's name. */
export interface KeptTensors extends OptimizerMoments {
  readonly p: Weights;
}

export interface CheckpointParts {
  readonly trained: TrainedWeights;
  /** Null: a later run starts with fresh moments. */
  readonly optimizer: OptimizerMoments | null;
  readonly state: CheckpointState;
  /** Of a resume point: an earlier state that the job may end with. */
  readonly kept?: KeptTensors;
}

export const OPTIMIZER_FILE = 'optimizer.safetensors';
export const KEPT_FILE = 'kept.safetensors';
export const STATE_FILE = 'state.json';
