import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { CallFilterDto } from '../trace/call-queries.dto.js';
import { CallConditionDto } from '../trace/query.dto.js';
import { Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonValue, IsNumber, IsText, IsWord } from '../validation/rules.js';
import { IsValueMap } from '../validation/value-map.js';

export const REPORT_METHODS = [
  'ppi++ score',
  'ppi++ t',
  'active-inference t',
  'labels-only wilson',
  'labels-only t',
  'uncorrected',
] as const;
export type ReportMethod = (typeof REPORT_METHODS)[number];

export const LABEL_SOURCES = ['drawn', 'given'] as const;
export type LabelSource = (typeof LABEL_SOURCES)[number];

/** Where people's labels are: in their feedback, never in that of scorers. */
export class JudgeTruthDto {
  /** Type of the feedback, 1 to 256 characters, as `hone.annotation.quality`. */
  @IsText({ min: 1, max: 256 }) feedback_type!: string;
  /** Dotted path of the label in the payload, 1 to 512 characters. Absent or null: `value`, where annotations have it. */
  @IsOptional() @IsText({ min: 1, max: 512 }) path?: string | null;
  /**
   * Text of a value -> its number, at most 256; a value that is not in it is no label. Absent or null: numbers as they
   * are, true 1, false 0, and nothing else is a label.
   */
  @IsOptional() @IsValueMap() map?: Record<string, number> | null;
}

/** What a judge finds about calls. */
export class ScoredCallsDto {
  /** Project `<entity>/<project>` of scorer and calls. */
  @IsProjectId() project_id!: string;
  /**
   * The scorer: its ref, its id for the newest version, or `<id>:<version>`; of a function that an SDK applied the ref that its
   * feedback has in `runnable_ref`. Verdicts of other versions do not count.
   */
  @IsText({ min: 1, max: 512 }) scorer!: string;
  /**
   * What is meant: the name of one of the scorer's ratings or tags; of a check `passed`, or `value`; of a scorer that Hone does not
   * run the path of a number or flag within what it found, 1 to 256 characters, or `output` for all of it.
   */
  @IsText({ min: 1, max: 256 }) criterion!: string;
  /** Which calls are meant. Absent or null: all that the scorer's version has judged. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /** Share of samples whose intervals hold the true figure, 0.5 to 0.9999. Absent or null: 0.95. */
  @IsOptional() @IsNumber({ min: 0.5, max: 0.9999 }) level?: number | null;
}

/** What a judge finds about calls, and where people's labels of the same are. */
export class JudgedCriterionDto extends ScoredCallsDto {
  /** Where people's labels of the same criterion are. Absent or null: there are none. */
  @IsOptional() @Nested(() => JudgeTruthDto) truth?: JudgeTruthDto | null;
  /**
   * Which labels count: `drawn`, those of calls that label queues drew, by the chances that they recorded, with labels that were
   * there before; `given`, all others, as if each call had had the same chance to be labelled. Absent or null: `drawn` where 20
   * drawn calls have labels, else `given`.
   */
  @IsOptional() @IsWord(LABEL_SOURCES) label_source?: LabelSource | null;
}

/** Body of `POST /evaluation/reports`. */
@Example({
  project_id: 'acme/demo',
  scorer: 'helpful',
  criterion: 'helpful',
  truth: { feedback_type: 'hone.annotation.quality' },
  filter: { trace_roots_only: true },
})
export class JudgeReportQueryDto extends JudgedCriterionDto {
  /** Least share that a judge has to pass of what people pass, 0 to 1: below it the judge is advisory. Absent or null: 0.8. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) min_tpr?: number | null;
  /** Least share that a judge has to fail of what people fail, 0 to 1: below it the judge is advisory. Absent or null: 0.8. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) min_tnr?: number | null;
  /** What is above it is passed, by people and by the judge. Absent or null: the middle of the scale, of 1 to 5 so 4 and 5. */
  @IsOptional() @IsNumber({ min: -1e12, max: 1e12 }) pass_above?: number | null;
}

export const ADVISORY_REASONS = [
  'no_labels',
  'few_labels',
  'no_pass_mark',
  'nothing_passed',
  'nothing_failed',
  'low_tpr',
  'low_tnr',
] as const;
export type AdvisoryReason = (typeof ADVISORY_REASONS)[number];

/** A figure with its confidence interval. */
export class JudgeFigureDto {
  /** The figure. */
  @IsNumber() estimate!: number;
  /** Lower end. */
  @IsNumber() low!: number;
  /** Upper end. */
  @IsNumber() high!: number;
}

/** Labelled calls by people's verdict and the judge's. */
export class JudgeMatrixDto {
  /** The verdicts, in the order of rows and columns. */
  @IsJsonValue({ type: 'array', items: { type: 'number' } }) categories!: number[];
  /** How many calls: rows are people's verdict, columns the judge's. */
  @IsJsonValue({ type: 'array', items: { type: 'array', items: { type: 'integer', minimum: 0 } } }) counts!: number[][];
}

/** How far the judge and people agree on the labelled calls. Labels that were drawn with unequal chances count by 1/chance, but in the matrix. */
export class JudgeAgreementDto {
  /** The counts. Null: verdicts are not of a few whole numbers, so that there are no rates, no kappa and no AC1 either. */
  @IsOptional() @Nested(() => JudgeMatrixDto) matrix!: JudgeMatrixDto | null;
  /** Share that the judge passes of what people pass, Wilson's interval. Null: they passed none, or the criterion is a rating. */
  @IsOptional() @Nested(() => JudgeFigureDto) tpr!: JudgeFigureDto | null;
  /** Share that the judge fails of what people fail, Wilson's interval. Null: they failed none, or the criterion is a rating. */
  @IsOptional() @Nested(() => JudgeFigureDto) tnr!: JudgeFigureDto | null;
  /** Share of equal verdicts, Wilson's interval. Null: there is no matrix. */
  @IsOptional() @Nested(() => JudgeFigureDto) accuracy!: JudgeFigureDto | null;
  /** Cohen's kappa, -1 to 1: agreement beyond chance. Null: there is no matrix, or all verdicts of both are one. */
  @IsOptional() @Nested(() => JudgeFigureDto) kappa!: JudgeFigureDto | null;
  /** Gwet's AC1, -1 to 1: agreement beyond chance, also where one verdict is rare. Null: no matrix, or fewer than two labels. */
  @IsOptional() @Nested(() => JudgeFigureDto) ac1!: JudgeFigureDto | null;
  /** Pearson's correlation, -1 to 1, Fisher's interval. Null: fewer than four labels, or one side is constant. */
  @IsOptional() @Nested(() => JudgeFigureDto) pearson!: JudgeFigureDto | null;
}

/** What is asked of a judge before anything is decided by it. */
export class JudgeGateDto {
  /** Least share that it has to pass of what people pass. */
  @IsNumber() min_tpr!: number;
  /** Least share that it has to fail of what people fail. */
  @IsNumber() min_tnr!: number;
  /** What is above it is passed. Null: the criterion has no scale, and the request named none. */
  @IsOptional() @IsNumber() pass_above!: number | null;
  /** Share that it passes of what people pass, with Wilson's interval. Null: they passed none, or there are no labels or no mark. */
  @IsOptional() @Nested(() => JudgeFigureDto) tpr!: JudgeFigureDto | null;
  /** Share that it fails of what people fail, with Wilson's interval. Null: they failed none, or there are no labels or no mark. */
  @IsOptional() @Nested(() => JudgeFigureDto) tnr!: JudgeFigureDto | null;
}

/** A call on which judge and person differ. */
export class JudgeDisagreementDto {
  /** Id of the call. */
  @IsText() call_id!: string;
  /** The judge's verdict. */
  @IsNumber() judge!: number;
  /** The person's label. */
  @IsNumber() human!: number;
  /** Why, in the judge's words, at most 1,024 characters. Null: it gave no reason. */
  @IsOptional() @IsText() reason!: string | null;
}

/** Answer of `POST /evaluation/reports`: the mean of a criterion, and how far its judge can be trusted. */
@Example({
  scorer: 'hone:///acme/demo/object/helpful:5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  criterion: 'passed',
  estimate: 0.64,
  low: 0.55,
  high: 0.73,
  level: 0.95,
  method: 'ppi++ score',
  label_source: 'given',
  labels: 100,
  calls: 4_000,
  labels_left_out: 0,
  calls_without_chance: 0,
  judge_only: false,
  unread_labels: 2,
  lambda: 0.71,
  check: { estimate: 0.65, low: 0.53, high: 0.77 },
  advisory: true,
  advisory_reason: 'low_tnr',
  gate: {
    min_tpr: 0.8,
    min_tnr: 0.8,
    pass_above: 0.5,
    tpr: { estimate: 0.935, low: 0.846, high: 0.975 },
    tnr: { estimate: 0.763, low: 0.608, high: 0.87 },
  },
  agreement: {
    matrix: {
      categories: [1, 0],
      counts: [
        [58, 4],
        [9, 29],
      ],
    },
    tpr: { estimate: 0.935, low: 0.846, high: 0.975 },
    tnr: { estimate: 0.763, low: 0.608, high: 0.87 },
    accuracy: { estimate: 0.87, low: 0.79, high: 0.922 },
    kappa: { estimate: 0.717, low: 0.574, high: 0.86 },
    ac1: { estimate: 0.752, low: 0.62, high: 0.883 },
    pearson: { estimate: 0.721, low: 0.611, high: 0.804 },
  },
  disagreements: [
    { call_id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d', judge: 1, human: 0, reason: 'It answers what was asked.' },
  ],
})
export class JudgeReportDto {
  /** Ref of the scorer's version. */
  @IsText() scorer!: string;
  /** What is reported. */
  @IsText() criterion!: string;
  /** Mean over the calls: of a tag and of `passed` the share of calls. Null: fewer than two calls are judged. */
  @IsOptional() @IsNumber() estimate!: number | null;
  /** Lower end of its interval. Null: there is no estimate. */
  @IsOptional() @IsNumber() low!: number | null;
  /** Upper end of its interval. Null: there is no estimate. */
  @IsOptional() @IsNumber() high!: number | null;
  /** Share of samples whose intervals hold the true figure. */
  @IsNumber() level!: number;
  /**
   * How the mean was made: `ppi++ …` of all verdicts, corrected by labels; `active-inference …` the same of labels
   * that were drawn with unequal chances; `labels-only …` where nearly every call has a
   * label; `uncorrected` of verdicts alone. The second word names the interval. Null: there is no estimate.
   */
  @IsOptional() @IsWord(REPORT_METHODS) method!: ReportMethod | null;
  /** Which labels count: `drawn` by label queues, or `given` otherwise. */
  @IsWord(LABEL_SOURCES) label_source!: LabelSource;
  /** Judged calls that have such a label. */
  @IsInteger({ min: 0 }) labels!: number;
  /** Judged calls that the mean is of, with a label or without. */
  @IsInteger({ min: 0 }) calls!: number;
  /** Judged calls whose label is of the other source: they count as calls without one. */
  @IsInteger({ min: 0 }) labels_left_out!: number;
  /** Judged calls that the mean leaves out, as no label queue could draw them: they were judged later, or are none that it meant. */
  @IsInteger({ min: 0 }) calls_without_chance!: number;
  /** Whether fewer than 20 labels left the mean uncorrected: its interval ignores the judge's errors. */
  @IsFlag() judge_only!: boolean;
  /** Judged calls whose newest feedback of the truth's type is no label: no number is found in it, or one beyond the scale. */
  @IsInteger({ min: 0 }) unread_labels!: number;
  /** Weight of the judge, 0 (labels alone) to 1. Null: the method has none. */
  @IsOptional() @IsNumber() lambda!: number | null;
  /**
   * The share by another way, of Rogan and Gladen: it should lie near the estimate. Null: a rating, an uncorrected mean, labels
   * that were drawn with unequal chances, or a judge that is no better than chance.
   */
  @IsOptional() @Nested(() => JudgeFigureDto) check!: JudgeFigureDto | null;
  /** Whether nothing should be decided by the judge: it reports, but it may not gate. */
  @IsFlag() advisory!: boolean;
  /**
   * Why it is advisory: there are `no_labels`, or fewer than 20 (`few_labels`); nothing says what is passed (`no_pass_mark`); people
   * passed none, or failed none, of the labelled calls (`nothing_passed`, `nothing_failed`), so that one of the rates is unknown;
   * one of the rates is below what is asked (`low_tpr`, `low_tnr`). Null: it is not.
   */
  @IsOptional() @IsWord(ADVISORY_REASONS) advisory_reason!: AdvisoryReason | null;
  /** What is asked of the judge, and what it reaches. */
  @Nested(() => JudgeGateDto) gate!: JudgeGateDto;
  /** How far judge and people agree. Null: there is no label. */
  @IsOptional() @Nested(() => JudgeAgreementDto) agreement!: JudgeAgreementDto | null;
  /** Calls on which they differ, the worst first, at most 20. */
  @NestedList(() => JudgeDisagreementDto) disagreements!: JudgeDisagreementDto[];
}
