import type { TrainingJobKind } from '@hone/contracts';

import type { PreferenceLossConfig } from '../plan/preference-config.js';
import type { RlConfig } from '../plan/rl-config.js';

/** A file or folder of the artifact store. */
export interface StoredPart {
  /** `file:` URL. */
  readonly uri: string;
  /** SHA-256, hex: of a file its bytes, of a checkpoint folder its `manifest.json`. */
  readonly sha256: string;
}

/** The settings of a reinforcement learning job that the loss of a row depends on. */
export type RlLossSpec = Pick<
  RlConfig,
  | 'loss_fn'
  | 'epsilon'
  | 'epsilon_high'
  | 'importance_sampling_level'
  | 'truncated_importance_sampling'
  | 'max_negative_advantage_importance_sampling_weight'
  | 'mask_prob_ratio'
  | 'precalculate_logprobs'
  | 'kimi_k2_tau'
  | 'kl_penalty_coef'
  | 'kl_penalty_source'
>;

/** PEFT's options of the same names. Null, and absent: as the parent's; none for a new adapter. */
interface LoraVariantSpec {
  readonly use_rslora: boolean | null;
  readonly rank_pattern: Readonly<Record<string, number>> | null;
  readonly alpha_pattern: Readonly<Record<string, number>> | null;
}

/**
 * Everything an engine needs to carry out one attempt of a job, as JSON. Two attempts of a job differ in
 * `attempt`, `resume` and `output_prefix` alone and end with the same bytes.
 */
export interface TrainingSpec {
  readonly spec_version: 1;
  readonly job_id: string;
  readonly attempt: number;
  readonly kind: TrainingJobKind;
  /** Of the random numbers that fresh adapters start from. */
  readonly seed: number;
  /** Id of the base model. */
  readonly base_model: string;
  /** The checkpoint to start from; null: the base. */
  readonly parent: StoredPart | null;
  /** The checkpoint that a KL penalty measures from; null: the base. */
  readonly reference: StoredPart | null;
  readonly plan: StoredPart & { readonly num_sequences: number };
  /** Null: fine-tuning, or learning from preferences. */
  readonly loss: RlLossSpec | null;
  /** Absent: another kind of job. */
  readonly preference?: PreferenceLossConfig;
  readonly optimiser: {
    readonly beta1: number;
    readonly beta2: number;
    readonly epsilon: number;
    readonly weight_decay: number;
    readonly max_grad_norm: number;
    /** Multiplies the learning rate of each row. */
    readonly learning_rate_factor: number;
  };
  /** Adapters of a job that starts from the base. Null: all weights are trained. */
  readonly lora:
    | ({
        readonly r: number;
        readonly alpha: number;
        readonly target_modules: readonly string[];
      } & Partial<LoraVariantSpec>)
    | null;
  /** What the adapters of a parent are to become. A null field, or null: as the parent's. */
  readonly lora_asked:
    | ({
        readonly r: number | null;
        readonly alpha: number | null;
        readonly target_modules: readonly string[] | null;
      } & Partial<LoraVariantSpec>)
    | null;
  /** Go on after gradient step `k`; null: from the start. */
  readonly resume: (StoredPart & { readonly k: number }) | null;
  /** `file:` URL of the folder into which resume points and the checkpoint are written; it exists. */
  readonly output_prefix: string;
  readonly resume_every: { readonly steps: number; readonly seconds: number };
  /** Gradient steps between checkpoints on the way. Null: none. */
  readonly checkpoint_every: number | null;
  /** What to do with the validation sequences of the plan. Null: it has none. */
  readonly validation: {
    /** Gradient steps between two evaluations. Null: from their number. */
    readonly every: number | null;
    /** Null: all steps are taken. */
    readonly early_stopping: { readonly patience: number; readonly min_delta: number } | null;
  } | null;
}
