import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { IsInteger, IsNumber, IsText, IsWord } from '../validation/rules.js';
import { JudgedCriterionDto } from './reports.dto.js';

export const LABEL_PLAN_BASES = ['labels', 'worst_case'] as const;
export type LabelPlanBasis = (typeof LABEL_PLAN_BASES)[number];

/** Body of `POST /evaluation/label-plans`. */
@Example({
  project_id: 'acme/demo',
  scorer: 'helpful',
  criterion: 'helpful',
  truth: { feedback_type: 'hone.annotation.quality' },
  width: 0.05,
})
export class LabelPlanQueryDto extends JudgedCriterionDto {
  /** Half-width wanted: the mean is to be known within ± so much, in the criterion's unit, above 0. Of a share 0.05 is five points. */
  @IsNumber({ above: 0, max: 1e12 }) width!: number;
}

/** Answer of `POST /evaluation/label-plans`: how many labels make the mean of a criterion known within a width. */
@Example({
  scorer: 'hone:///acme/demo/object/helpful:5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  criterion: 'passed',
  level: 0.95,
  width: 0.05,
  with_judge: 165,
  without_judge: 372,
  basis: 'labels',
  labels: 60,
  calls: 4_000,
})
export class LabelPlanDto {
  /** Ref of the scorer's version. */
  @IsText() scorer!: string;
  /** What is meant. */
  @IsText() criterion!: string;
  /** Share of samples whose intervals hold the true figure. */
  @IsNumber() level!: number;
  /** Half-width wanted, in the criterion's unit. */
  @IsNumber() width!: number;
  /**
   * Labels in all, those that are there included, that reach the width together with the judge's verdicts, each call with the
   * same chance to be labelled. Null: not even labels of all calls but two do.
   */
  @IsOptional() @IsInteger({ min: 2 }) with_judge!: number | null;
  /** Labels in all that reach the width without the judge. Null: not even labels of all calls do. */
  @IsOptional() @IsInteger({ min: 2 }) without_judge!: number | null;
  /**
   * `labels`: by the variance of the labels that are there, and how far the judge follows them; `worst_case`: of fewer than 20
   * labels nothing is known, so that they may vary as much as the scale lets them and the judge may be of no use.
   */
  @IsWord(LABEL_PLAN_BASES) basis!: LabelPlanBasis;
  /** Judged calls that have a label. */
  @IsInteger({ min: 0 }) labels!: number;
  /** Judged calls, with a label or without. */
  @IsInteger({ min: 0 }) calls!: number;
}
