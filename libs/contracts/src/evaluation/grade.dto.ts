import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { ScorerDefinitionDto } from '../trace/scorer-definition.dto.js';
import { Nested, NestedList } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsJsonObject,
  IsJsonValue,
  IsNumber,
  IsText,
  IsTextList,
  IsWord,
} from '../validation/rules.js';
import { VERDICT_STATES, type VerdictState } from './try-scorer.dto.js';

export const MAX_GRADED_ANSWERS = 200;
export const MAX_GRADERS = 5;

/** A scorer as one part of a reward. */
export class GraderDto {
  /** A stored scorer: its ref, its id for its newest version, or `<id>:<version>`. Absent or null: `definition` is used. */
  @IsOptional() @IsText({ min: 1, max: 512 }) scorer?: string | null;
  /** A draft of a scorer. Absent or null: `scorer` is used. */
  @IsOptional() @Nested(() => ScorerDefinitionDto) definition?: ScorerDefinitionDto | null;
  /**
   * Name of the rating or tag that counts. Absent or null: `passed` of a check, `win` of a comparison, else the first rating, or
   * the first tag where there are no ratings.
   */
  @IsOptional() @IsText({ min: 1, max: 64 }) criterion?: string | null;
  /** Weight of its score in the mean, above 0. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0, max: 1e6 }) weight?: number | null;
}

/** An answer to grade. */
export class GradedAnswerDto {
  /** What it answers, for paths such as `inputs.expected`. Absent or null: the `inputs` of the body. */
  @IsOptional() @IsJsonObject() inputs?: Record<string, unknown> | null;
  /** The answer: a text, a message, or any other JSON. */
  @IsJsonValue() output!: unknown;
}

/** Body of `POST /evaluation/scorers/grade`. */
@Example({
  project_id: 'acme/demo',
  scorers: [{ definition: { kind: 'check', check: { check: 'exact', reference: 'inputs.expected' } } }],
  inputs: { messages: [{ role: 'user', content: 'The opposite of hot?' }], expected: 'cold' },
  answers: [{ output: 'cold' }, { output: 'warm' }],
})
export class GradeDto {
  /** Project `<entity>/<project>` of the scorers, which pays for judges. */
  @IsProjectId() project_id!: string;
  /** Scorers of which the reward is made, 1 to 5. */
  @NestedList(() => GraderDto, MAX_GRADERS, 1) scorers!: GraderDto[];
  /** Inputs of the answers that have none of their own. Absent or null: there are none. */
  @IsOptional() @IsJsonObject() inputs?: Record<string, unknown> | null;
  /** Answers, at most 200. Empty: the scorers alone are checked. */
  @NestedList(() => GradedAnswerDto, MAX_GRADED_ANSWERS) answers!: GradedAnswerDto[];
}

/** What a scorer found about an answer. */
export class GradeVerdictDto {
  /** `done`; `skipped`: the answer has nothing that the scorer judges; `failed`: there is no verdict. */
  @IsWord(VERDICT_STATES) state!: VerdictState;
  /** Why it was skipped or failed, as `missing_reference` or `judge_answered_nonsense`. Null: it was not. */
  @IsOptional() @IsText() code!: string | null;
  /** Whether a failure may be gone when the answer is graded again. */
  @IsFlag() retryable!: boolean;
  /** What counts of it: a rating on its scale brought to 0 to 1, a tag as 0 or 1. Null: there is no verdict. */
  @IsOptional() @IsNumber() score!: number | null;
  /** Name -> number, as it was found. */
  @IsJsonValue({ type: 'object', additionalProperties: { type: 'number' } }) ratings!: Record<string, number>;
  /** What is so. */
  @IsTextList() tags!: string[];
  /** Why, in the judge's words. Null: a check gives none. */
  @IsOptional() @IsText() reason!: string | null;
  /** Cost in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
}

/** The grade of one answer. */
export class GradeOfAnswerDto {
  /** Mean of the scores by their weights. Null: a scorer has no verdict. */
  @IsOptional() @IsNumber() reward!: number | null;
  /** A verdict of each scorer, in their order. */
  @NestedList(() => GradeVerdictDto) verdicts!: GradeVerdictDto[];
}

/** A scorer as it was used. */
export class UsedGraderDto {
  /** Ref of the version. Null: a draft. */
  @IsOptional() @IsText() scorer!: string | null;
  /** Name of the rating or tag that counts. */
  @IsText() criterion!: string;
  /** Weight of its score in the mean. */
  @IsNumber({ above: 0 }) weight!: number;
}

/** Answer of `POST /evaluation/scorers/grade`. */
export class GradeResultDto {
  /** The scorers, in the order of the body. */
  @NestedList(() => UsedGraderDto) scorers!: UsedGraderDto[];
  /** A grade of each answer, in the order of the body. */
  @NestedList(() => GradeOfAnswerDto) grades!: GradeOfAnswerDto[];
  /** Cost of all in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** How many answers have a reward. */
  @IsInteger({ min: 0 }) graded!: number;
}
