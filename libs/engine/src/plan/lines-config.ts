import { resolveTrainingConfig, type TrainingConfig, type TrainingConfigInput } from './training-config.js';

/** Settings of jobs that learn from the lines of a file, every default filled in. Property names are the wire names. */
export interface LinesConfig extends TrainingConfig {
  /** Lines of one optimiser step. */
  batch_size: number;
  /** Passes over the training lines. */
  n_epochs: number;
  /** One for all gradient steps, or one for each. */
  learning_rate: number | readonly number[];
  metric_logging: { enabled: boolean; target_training_step: number };
  /** Where the validation data comes from; of a `data:` URL what stands before its content. Null: no data of its own. */
  validation_data_url: string | null;
  /** Share of the lines that is held out. Null: none. */
  validation_fraction: number | null;
  /** Gradient steps between two evaluations. Null: from the size of the validation set. */
  validation_every: number | null;
  /** Null: the job takes all its steps. */
  early_stopping: { patience: number; min_delta: number } | null;
}

/** As a client sends it; null means absent. */
export interface LinesConfigInput extends TrainingConfigInput {
  readonly batch_size?: number | 'auto' | null;
  readonly n_epochs?: number | 'auto' | null;
  readonly learning_rate?: number | readonly number[] | null;
  readonly validation_data_url?: string | null;
  readonly validation_fraction?: number | null;
  readonly validation_every?: number | null;
  readonly early_stopping?: { readonly patience?: number | null; readonly min_delta?: number | null } | null;
  readonly metric_logging?: { readonly enabled?: boolean | null; readonly target_training_step?: number | null } | null;
}

/** What `auto` stands for, which differs between the kinds of jobs. */
interface LinesDefaults {
  readonly batch_size: number;
  readonly n_epochs: number;
  readonly learning_rate: number;
}

const PATIENCE = 3;

/** Fills in defaults. Values are legal: the training service has validated them. */
export function resolveLinesConfig(input: LinesConfigInput | null | undefined, defaults: LinesDefaults): LinesConfig {
  const { batch_size, n_epochs, learning_rate, metric_logging, early_stopping } = input ?? {};
  return {
    ...resolveTrainingConfig(input ?? {}, { weight_decay: 0, max_grad_norm: 1 }),
    batch_size: batch_size === 'auto' ? defaults.batch_size : (batch_size ?? defaults.batch_size),
    n_epochs: n_epochs === 'auto' ? defaults.n_epochs : (n_epochs ?? defaults.n_epochs),
    learning_rate: learning_rate ?? defaults.learning_rate,
    metric_logging: {
      enabled: metric_logging?.enabled ?? false,
      target_training_step: metric_logging?.target_training_step ?? 1,
    },
    validation_data_url: input?.validation_data_url ?? null,
    validation_fraction: input?.validation_fraction ?? null,
    validation_every: input?.validation_every ?? null,
    early_stopping: early_stopping
      ? { patience: early_stopping.patience ?? PATIENCE, min_delta: early_stopping.min_delta ?? 0 }
      : null,
  };
}
