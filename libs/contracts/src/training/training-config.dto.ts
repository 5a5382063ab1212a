import { IsOptional } from 'class-validator';

import { type Issue, valueIssue } from '../issues/issue.js';
import type { JsonSchema } from '../validation/rule.js';
import { AcceptsUnknownFields, fromRule, Nested } from '../validation/rule.js';
import {
  integerRule,
  IsFlag,
  IsInteger,
  IsNumber,
  IsText,
  IsWord,
  listRule,
  numberRule,
  wordRule,
} from '../validation/rules.js';
import { modulePatternRule } from './module-pattern.rule.js';

const MAX_INT32 = 2_147_483_647;
const MAX_LORA_ALPHA = 1_000_000;
export const LR_SCHEDULES = ['constant', 'linear', 'cosine'] as const;
export type LrSchedule = (typeof LR_SCHEDULES)[number];

/** The weight matrices of a layer that an adapter can change. */
export const LORA_TARGETS = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const;

/** The low-rank adapter (LoRA) that a job trains. Null means absent in every field; other fields are ignored. */
@AcceptsUnknownFields()
export class LoraConfigDto {
  /**
   * Rank of the adapter's matrices, 1 to 256; modules that `rank_pattern` names have another. Absent or null: that of the
   * parent, 8 for a new adapter.
   */
  @IsOptional() @IsInteger({ min: 1, max: 256 }) rank?: number | null;
  /**
   * The adapter's effect is multiplied by alpha / rank, with `use_rslora` by alpha / sqrt(rank); above 0, up to
   * 1,000,000. Modules that `alpha_pattern` names have another. Absent or null: that of the parent, 16 for a new adapter.
   */
  @IsOptional() @IsNumber({ above: 0, max: MAX_LORA_ALPHA }) alpha?: number | null;
  /** The matrices that are adapted in each layer, at least one. Absent or null: those of the parent, or all seven. */
  @IsOptional()
  @fromRule(listRule(wordRule(LORA_TARGETS), { min: 1, max: LORA_TARGETS.length }))
  target_modules?: (typeof LORA_TARGETS)[number][] | null;
  /**
   * Rank-stabilised scaling: the effect is multiplied by alpha / sqrt(rank), so that larger ranks learn as fast as small
   * ones. Absent or null: that of the parent, false for a new adapter.
   */
  @IsOptional() @IsFlag() use_rslora?: boolean | null;
  /**
   * Ranks of single modules, 1 to 256, by name: a projection such as `q_proj`, or one of a layer such as
   * `layers.0.self_attn.q_proj`; of names that fit one module the longest counts, whatever their order. A name that no
   * adapted module has fails the job with `config.lora_pattern`. Absent or null: those of the parent, none for a new
   * adapter.
   */
  @IsOptional()
  @fromRule(modulePatternRule(integerRule({ min: 1, max: 256 })))
  rank_pattern?: Record<string, number> | null;
  /**
   * Alphas of single modules, above 0, up to 1,000,000, by the same names. Absent or null: those of the parent, none for a
   * new adapter.
   */
  @IsOptional()
  @fromRule(modulePatternRule(numberRule({ above: 0, max: MAX_LORA_ALPHA })))
  alpha_pattern?: Record<string, number> | null;
}

/** Settings that both kinds of training jobs have. */
export class TrainingConfigDto {
  /**
   * How the learning rate goes on after the warm-up: `constant`, or falling to 0 at the end of the job, `linear` or as
   * half a `cosine` wave. Absent or null: `constant`.
   */
  @IsOptional() @IsWord(LR_SCHEDULES) lr_schedule?: LrSchedule | null;
  /**
   * Gradient steps over which the learning rate rises linearly, 0 to 2,147,483,647: step k of a warm-up of w steps has
   * k / (w + 1) of it. Not with `warmup_ratio`. Absent or null: what `warmup_ratio` says.
   */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) warmup_steps?: number | null;
  /** The warm-up as a share of all gradient steps, rounded up; 0 to 1. Absent or null: no warm-up. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) warmup_ratio?: number | null;
  /**
   * Decoupled weight decay of AdamW, 0 or more: each step takes learning rate x weight_decay of the adapter's weights
   * off. Absent or null: 0.1 for reinforcement learning, 0 for fine-tuning.
   */
  @IsOptional() @IsNumber({ min: 0 }) weight_decay?: number | null;
  /**
   * Largest norm of a gradient, above 0; a larger gradient is scaled down to it. Absent or null: 0.1 for reinforcement
   * learning, 1 for fine-tuning.
   */
  @IsOptional() @IsNumber({ above: 0 }) max_grad_norm?: number | null;
  /**
   * Seed of all random choices of the job, 0 to 2,147,483,647: the initial weights of a new adapter and, for
   * reinforcement learning, the order of the rows. Equal jobs with equal seeds give equal bytes. Absent or null: 3407.
   */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) seed?: number | null;
  /**
   * The adapter that is trained. A parent's adapter grows to a larger rank and more targets without losing what it has
   * learnt; a smaller rank or fewer targets than the parent's fail the job with `config.lora_mismatch`. Absent or null:
   * as the parent's.
   */
  @IsOptional() @Nested(() => LoraConfigDto) lora?: LoraConfigDto | null;
  /**
   * Step of the checkpoint that the job starts from, 0 to 2,147,483,647; 0: the base model. The new checkpoint is the
   * model's next step all the same. A step that the model does not have is refused with 404; one that is deleted before
   * the job begins fails it with `config.parent_step_not_found`. Absent or null: the latest when the job begins.
   */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) parent_step?: number | null;
  /**
   * Alias of the checkpoint that the job starts from, such as `production`. It is resolved when the job is created: the
   * job has its step as `parent_step`, wherever the alias moves later. An alias that the model does not have is refused
   * with 404. Not with `parent_step`. Absent or null: what `parent_step` says.
   */
  @IsOptional() @IsText({ min: 1, max: 64 }) parent_alias?: string | null;
  /**
   * The job makes a checkpoint after every so many gradient steps, 1 to 2,147,483,647, each the model's next step, and
   * one at its end. They stay when the job fails or is cancelled later. Absent or null: one at its end.
   */
  @IsOptional() @IsInteger({ min: 1, max: MAX_INT32 }) checkpoint_every?: number | null;
}

export const isSent = (value: unknown): boolean => value !== undefined && value !== null;

/** Schema of an object with both of these fields. */
export const both = (first: JsonSchema, second: JsonSchema): JsonSchema => ({
  properties: { ...first, ...second },
  required: Object.keys({ ...first, ...second }),
});
const NUMBER = { type: 'number' };

/** What {@link trainingClashes} finds, as schemas. */
export const TRAINING_CLASHES: readonly JsonSchema[] = [
  both({ warmup_steps: NUMBER }, { warmup_ratio: NUMBER }),
  both({ parent_step: NUMBER }, { parent_alias: { type: 'string' } }),
];

/** What contradicts itself in settings that are each right. */
export function trainingClashes(config: TrainingConfigDto): Issue[] {
  const { warmup_steps, warmup_ratio, parent_step, parent_alias } = config;
  return [
    ...(isSent(warmup_steps) && isSent(warmup_ratio)
      ? [valueIssue('Only one of warmup_steps and warmup_ratio.', ['warmup_ratio'])]
      : []),
    ...(isSent(parent_step) && isSent(parent_alias)
      ? [valueIssue('Only one of parent_step and parent_alias.', ['parent_alias'])]
      : []),
  ];
}
