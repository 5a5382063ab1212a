import type { LrSchedule } from '@hone/contracts';

/** Settings that both kinds of jobs have, every default filled in. Property names are the wire names. */
export interface TrainingConfig {
  lr_schedule: LrSchedule;
  /** Null: what `warmup_ratio` says. */
  warmup_steps: number | null;
  /** Share of all gradient steps. Null: no warm-up. */
  warmup_ratio: number | null;
  /** Of AdamW. */
  weight_decay: number;
  /** A larger gradient is scaled down to this norm. */
  max_grad_norm: number;
  /** Of all random choices of the job. */
  seed: number;
}

/** As a client sends it; null means absent. */
export type TrainingConfigInput = { readonly [Key in keyof TrainingConfig]?: TrainingConfig[Key] | null };

/** What each kind of job adds. */
export const TRAINING_DEFAULTS = {
  lr_schedule: 'constant',
  warmup_steps: null,
  warmup_ratio: null,
  seed: 3407,
} as const satisfies Partial<TrainingConfig>;

/** The given settings, and defaults for the others. */
export function resolveTrainingConfig(
  given: TrainingConfigInput,
  defaults: Pick<TrainingConfig, 'weight_decay' | 'max_grad_norm'>,
): TrainingConfig {
  const all: TrainingConfig = { ...TRAINING_DEFAULTS, ...defaults };
  const resolved = Object.entries(all).map(([key, value]) => [key, given[key as keyof TrainingConfig] ?? value]);
  return Object.fromEntries(resolved) as TrainingConfig;
}
