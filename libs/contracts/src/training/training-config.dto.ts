import { IsOptional } from 'class-validator';

import { valueIssue, type Issue } from '../issues/issue.js';
import type { JsonSchema } from '../validation/rule.js';
import { IsInteger, IsNumber, IsWord } from '../validation/rules.js';

const MAX_INT32 = 2_147_483_647;
export const LR_SCHEDULES = ['constant', 'linear', 'cosine'] as const;
export type LrSchedule = (typeof LR_SCHEDULES)[number];

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
}

export const isSent = (value: unknown): boolean => value !== undefined && value !== null;

/** Schema of an object with both of these fields. */
export const both = (first: JsonSchema, second: JsonSchema): JsonSchema => ({
  properties: { ...first, ...second },
  required: Object.keys({ ...first, ...second }),
});
const NUMBER = { type: 'number' };

/** What {@link trainingClashes} finds, as schemas. */
export const TRAINING_CLASHES: readonly JsonSchema[] = [both({ warmup_steps: NUMBER }, { warmup_ratio: NUMBER })];

/** What contradicts itself in settings that are each right. */
export function trainingClashes({ warmup_steps, warmup_ratio }: TrainingConfigDto): Issue[] {
  return isSent(warmup_steps) && isSent(warmup_ratio)
    ? [valueIssue('Only one of warmup_steps and warmup_ratio.', ['warmup_ratio'])]
    : [];
}
