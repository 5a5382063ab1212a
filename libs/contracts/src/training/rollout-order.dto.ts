import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsNumber, IsText } from '../validation/rules.js';
import { IsTrainingDataUrl } from './training-data-url.js';

/** A scorer of the project as one part of the reward. */
@AcceptsUnknownFields()
export class RolloutScorerDto {
  /** Its ref, its id for its newest version at this moment, or `<id>:<version>`. */
  @IsText({ min: 1, max: 512 }) scorer!: string;
  /**
   * Name of the rating or tag that counts. Absent or null: `passed` of a check, `win` of a comparison, else the first rating, or
   * the first tag where there are no ratings.
   */
  @IsOptional() @IsText({ min: 1, max: 64 }) criterion?: string | null;
  /** Weight of its score in the mean, above 0 and up to 1,000,000. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0, max: 1e6 }) weight?: number | null;
}

/** How answers are sampled. */
@AcceptsUnknownFields()
export class RolloutSamplingDto {
  /** Sampling temperature, above 0 and up to 2. Absent or null: 1, at which the job is on policy. */
  @IsOptional() @IsNumber({ above: 0, max: 2 }) temperature?: number | null;
  /** Share of the probability that is sampled from, above 0 and up to 1. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0, max: 1 }) top_p?: number | null;
  /** Most tokens of an answer, 1 to 32,768. Absent or null: 256. */
  @IsOptional() @IsInteger({ min: 1, max: 32_768 }) max_tokens?: number | null;
}

/** Rollouts that a job samples and grades by itself, round by round. */
@AcceptsUnknownFields()
@Example({
  prompts_url: 'hone-artifact:///local/default/questions:v0',
  scorers: [{ scorer: 'exact' }],
  n: 8,
  rounds: 6,
  sampling: { max_tokens: 64 },
})
export class RolloutOrderDto {
  /**
   * JSON Lines of prompts, from where fine-tuning takes its lines: `{"messages": [...]}` or `{"prompt": "text"}`, beside any
   * other columns, which scorers read as `inputs.<column>`. At most 100,000.
   */
  @IsTrainingDataUrl() prompts_url!: string;
  /** What answers are graded by, 1 to 5: the reward is the mean of their scores by their weights. */
  @NestedList(() => RolloutScorerDto, 5, 1) scorers!: RolloutScorerDto[];
  /** Answers to each prompt, which are compared with each other, 2 to 32. Absent or null: 8. */
  @IsOptional() @IsInteger({ min: 2, max: 32 }) n?: number | null;
  /** Prompts of a round, 1 to 256. Absent or null: 8. */
  @IsOptional() @IsInteger({ min: 1, max: 256 }) prompts_per_round?: number | null;
  /**
   * Rounds, 1 to 1,000: each samples from the current checkpoint, trains, and makes the next one. The prompts come in a new order
   * in each pass over them. Absent or null: one pass.
   */
  @IsOptional() @IsInteger({ min: 1, max: 1_000 }) rounds?: number | null;
  /** How answers are sampled. Absent or null: the defaults. */
  @IsOptional() @Nested(() => RolloutSamplingDto) sampling?: RolloutSamplingDto | null;
  /**
   * US dollars that sampling and grading may cost, above 0: once they are spent nothing more is sampled, what has been sampled is
   * trained, and the job ends. Absent or null: no limit.
   */
  @IsOptional() @IsNumber({ above: 0, max: 1e9 }) max_cost_usd?: number | null;
  /** Seed of sampling and of the order of the prompts, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOptional() @IsInteger({ min: 0, max: 2_147_483_647 }) seed?: number | null;
}

/** A scorer of a job that samples its own rollouts. */
export class JobRolloutScorerDto {
  /** Ref of the version. */
  @IsText() scorer!: string;
  /** Name of the rating or tag that counts. */
  @IsText() criterion!: string;
  /** Weight of its score in the mean. */
  @IsNumber({ above: 0 }) weight!: number;
}

/** How a job samples its own rollouts. */
export class JobRolloutSamplingDto {
  /** Sampling temperature. */
  @IsNumber({ above: 0 }) temperature!: number;
  /** Share of the probability that is sampled from. */
  @IsNumber({ above: 0, max: 1 }) top_p!: number;
  /** Most tokens of an answer. */
  @IsInteger({ min: 1 }) max_tokens!: number;
}

/** What a job that samples its own rollouts has done so far. */
export class JobRolloutsDto {
  /** The artifact of the job's project that has the prompts. Null: they were sent with the job, or are elsewhere. */
  @IsOptional() @IsText() prompts_url!: string | null;
  /** The scorers, with the versions that were the newest when the job was made. */
  @NestedList(() => JobRolloutScorerDto) scorers!: JobRolloutScorerDto[];
  /** Answers to each prompt. */
  @IsInteger({ min: 2 }) n!: number;
  /** Prompts of a round. */
  @IsInteger({ min: 1 }) prompts_per_round!: number;
  /** Rounds in all. Null: one pass over the prompts, which have not been counted yet. */
  @IsOptional() @IsInteger({ min: 1 }) rounds!: number | null;
  /** Rounds that are done. */
  @IsInteger({ min: 0 }) rounds_done!: number;
  /** How answers are sampled. */
  @Nested(() => JobRolloutSamplingDto) sampling!: JobRolloutSamplingDto;
  /** US dollars that sampling and grading may cost. Null: no limit. */
  @IsOptional() @IsNumber({ min: 0 }) max_cost_usd!: number | null;
  /** Seed of sampling and of the order of the prompts. */
  @IsInteger({ min: 0 }) seed!: number;
  /** Prompts that have been answered, or refused. */
  @IsInteger({ min: 0 }) prompts!: number;
  /** Answers that have been sampled. */
  @IsInteger({ min: 0 }) answers!: number;
  /** Answers that have a reward; the others are not trained. */
  @IsInteger({ min: 0 }) graded!: number;
  /** Why answers have no reward -> how many: the code of a failed judgement, or of a refused prompt. */
  @IsJsonValue({ type: 'object', additionalProperties: { type: 'integer' } }) failures!: Record<string, number>;
  /** US dollars that sampling and grading have cost. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** Mean reward of the last round that was sampled. Null: there is none yet. */
  @IsOptional() @IsNumber() last_reward_mean!: number | null;
}
