import type { LrSchedule } from '@hone/contracts';

/** Settings that both kinds of jobs have, every default filled in. Property names are the wire names. */
export interface TrainingConfig {
  lr_schedule: LrSchedule;
  /** Null: what `warmup_ratio` says. */
  warmup_steps: number | null;
  /** Share of all gradient steps. Null: no warm-up. */
  warmup_ratio: number | null;
  /** Weight decay of AdamW. */
  weight_decay: number;
  /** A larger gradient is scaled down to this norm. */
  max_grad_norm: number;
  /** Seed of all random choices of the job. */
  seed: number;
  /** A null field, or null: as the parent's adapter has it; for a new adapter the engine's default. */
  lora: LoraConfig | null;
  /** Step of the checkpoint to start from; 0: the base. Null: the latest. */
  parent_step: number | null;
  /** Gradient steps between checkpoints on the way. Null: none. */
  checkpoint_every: number | null;
}

export interface LoraConfig {
  rank: number | null;
  /** The adapter's product is multiplied by `alpha / rank`, unless `use_rslora`. */
  alpha: number | null;
  /** Names of projections. */
  target_modules: readonly string[] | null;
  /** Scales are `alpha / sqrt(rank)`. */
  use_rslora: boolean | null;
  /** Ranks of modules, by names such as `q_proj`. */
  rank_pattern: Readonly<Record<string, number>> | null;
  /** Alphas of modules, likewise. */
  alpha_pattern: Readonly<Record<string, number>> | null;
}

/** As a client sends it; null means absent. */
export type TrainingConfigInput = {
  readonly [Key in Exclude<keyof TrainingConfig, 'lora'>]?: TrainingConfig[Key] | null;
} & {
  readonly lora?: Partial<LoraConfig> | null;
};

/** Defaults of the settings that both kinds of jobs have. */
export const TRAINING_DEFAULTS = {
  lr_schedule: 'constant',
  warmup_steps: null,
  warmup_ratio: null,
  seed: 3407,
  lora: null,
  parent_step: null,
  checkpoint_every: null,
} as const satisfies Partial<TrainingConfig>;

/** The given settings, and defaults for the others. */
export function resolveTrainingConfig(
  given: TrainingConfigInput,
  defaults: Pick<TrainingConfig, 'weight_decay' | 'max_grad_norm'>,
): TrainingConfig {
  const all: TrainingConfig = { ...TRAINING_DEFAULTS, ...defaults };
  const resolved = Object.entries(all).map(([key, value]) => [key, given[key as keyof TrainingConfig] ?? value]);
  return { ...(Object.fromEntries(resolved) as TrainingConfig), lora: resolveLora(given.lora) };
}

/** Null: nothing is asked for. */
export function resolveLora(given: TrainingConfigInput['lora']): LoraConfig | null {
  const { rank = null, alpha = null, target_modules = null } = given ?? {};
  const { use_rslora = null, rank_pattern = null, alpha_pattern = null } = given ?? {};
  const lora = { rank, alpha, target_modules, use_rslora, rank_pattern, alpha_pattern };
  return Object.values(lora).every((value) => value === null) ? null : lora;
}
