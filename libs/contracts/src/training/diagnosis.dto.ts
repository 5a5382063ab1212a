import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonValue, IsNumber, IsText, IsWord } from '../validation/rules.js';

/** `error`: the job would fail. `warning`: it would train, and perhaps not what was meant. */
export const DIAGNOSIS_SEVERITIES = ['error', 'warning'] as const;
export type DiagnosisSeverity = (typeof DIAGNOSIS_SEVERITIES)[number];

/** Something that is wrong with a job, or that its author should know. */
export class DiagnosisIssueDto {
  /** Path into the body, or `["line", <number>]`; empty: at no single path. */
  @IsJsonValue({ type: 'array', items: { type: ['string', 'integer'] } }) loc!: (string | number)[];
  /**
   * As the error of a job that fails, or why a trajectory is left out: `no_choice`, `no_logprobs`, `no_tokens`,
   * `too_long`, `zero_advantage`, or a line: `too_long`, `no_tokens`, `assistant_first`; `stale_policy`,
   * `template_drift`, `data.not_checked`, or a warning of the job, for example `config.unknown_key`.
   */
  @IsText() code!: string;
  /** `error`: the job would fail. `warning`: it would train, and perhaps not what was meant. */
  @IsWord(DIAGNOSIS_SEVERITIES) severity!: DiagnosisSeverity;
  /** What is wrong, in a sentence. */
  @IsText() message!: string;
  /** What to do about it. Null: nothing to say. */
  @IsOptional() @IsText() hint!: string | null;
}

/** What would come of one trajectory. */
export class DiagnosedTrajectoryDto {
  /** Position of its group in `trajectory_groups`, from 0. */
  @IsInteger({ min: 0 }) group!: number;
  /** Position in its group, from 0. */
  @IsInteger({ min: 0 }) index!: number;
  /** Tokens that would be trained. */
  @IsInteger({ min: 0 }) trained_tokens!: number;
  /** Advantage over the other trajectories of its group. */
  @IsNumber() advantage!: number;
  /** Why the trajectory is not trained. Null: it is trained. */
  @IsOptional() @IsText() reason!: string | null;
}

/** What would come of a job. Nothing is stored, nothing is trained. */
@Example({
  ok: true,
  groups_submitted: 2,
  groups_trainable: 1,
  num_sequences: 1,
  trainable_tokens: 42,
  estimated_seconds: 0.8,
  issues: [
    {
      loc: ['trajectory_groups', 1],
      code: 'zero_advantage',
      severity: 'warning',
      message: 'All rewards of the group are equal: nothing tells its trajectories apart.',
      hint: null,
    },
  ],
  trajectories: [{ group: 0, index: 0, trained_tokens: 21, advantage: 1, reason: null }],
})
export class DiagnosisDto {
  /** Whether there is no issue of severity `error`. */
  @IsFlag() ok!: boolean;
  /** Groups in the body; 0 for fine-tuning. */
  @IsInteger({ min: 0 }) groups_submitted!: number;
  /** Groups with a trained trajectory; 0 for fine-tuning. */
  @IsInteger({ min: 0 }) groups_trainable!: number;
  /** Gradient steps that the job would make. */
  @IsInteger({ min: 0 }) num_sequences!: number;
  /** Tokens that would be trained. */
  @IsInteger({ min: 0 }) trainable_tokens!: number;
  /** Seconds at the pace of earlier jobs on the same base model. Null: there are none, or the job would fail. */
  @IsOptional() @IsNumber({ min: 0 }) estimated_seconds!: number | null;
  /** What is wrong, errors first, at most 100. */
  @NestedList(() => DiagnosisIssueDto) issues!: DiagnosisIssueDto[];
  /** The trajectories in the order of the body; empty for fine-tuning, or when the job would fail. */
  @NestedList(() => DiagnosedTrajectoryDto) trajectories!: DiagnosedTrajectoryDto[];
}
