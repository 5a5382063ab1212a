import { IsOptional } from 'class-validator';

import { IsProjectId } from '../names/names.js';
import { Constrained } from '../schema/constraint.js';
import { eitherOf } from '../schema/either-of.js';
import { Example } from '../schema/example.js';
import { CallFilterDto } from '../trace/call-queries.dto.js';
import { CallConditionDto } from '../trace/query.dto.js';
import { IsExpression, ROW_QUERY_FIELDS } from '../trace/query-expression.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import {
  IsInteger,
  IsNumber,
  IsText,
  IsTextList,
  listRule,
  mapRule,
  numberRule,
  textRule,
} from '../validation/rules.js';
import { JudgeTruthDto } from './reports.dto.js';

/** Runs that one request compares, the baseline included. */
const MAX_RUNS = 10;
export const MAX_COMPARED_METRICS = 50;
const MAX_SET_CALLS = 100_000;
const MAX_SLICES = 20;
const MAX_METRIC_NAME = 1_024;
const MAX_MARGIN = 1e12;
const MAX_SEED = 4_294_967_295;

/** A part of the rows, which is compared on its own as well. */
export class CompareSliceDto {
  /** What the answer calls it, 1 to 128 characters, each name once. Absent or null: `slice 1` for the first, and so on. */
  @IsOptional() @IsText({ min: 1, max: 128 }) name?: string | null;
  /** Which rows are in it: an expression on `inputs`, the row itself, in the language of call queries. */
  @IsExpression(ROW_QUERY_FIELDS) expression!: Record<string, unknown>;
}

/** Where people's labels of one metric are. */
export class CompareTruthDto extends JudgeTruthDto {
  /** The metric that people labelled, too, as `scores.helpful.value`. */
  @IsText({ min: 1, max: MAX_METRIC_NAME }) metric!: string;
}

/** Live calls that are compared as if they were a run. */
export class CompareCallsDto {
  /** What the answer calls them, 1 to 128 characters, each name once. */
  @IsText({ min: 1, max: 128 }) name!: string;
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /** Most calls, the newest first, 1 to 100,000. Absent or null: 10,000. */
  @IsOptional() @IsInteger({ min: 1, max: MAX_SET_CALLS }) limit?: number | null;
}

/** Body of `POST /evaluation/compare`. */
@Constrained({ schema: eitherOf('runs', 'calls') })
@Example({
  project_id: 'acme/demo',
  runs: ['019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d', '019bc11a-0200-7c41-8e0f-6a1b2c3d4e5f'],
  margins: { latency_ms: 200 },
  slices: [{ name: 'German', expression: { $eq: [{ $getField: 'inputs.language' }, { $literal: 'de' }] } }],
})
export class CompareQueryDto {
  /** Project `<entity>/<project>` of the runs. */
  @IsProjectId() project_id!: string;
  /**
   * The evaluation runs, 2 to 10, each once: ids or refs of their calls. The others are compared with the first, the
   * baseline. Runs of the server, of `evaluation_runs`, and of the `Evaluation` of a tracing SDK are all meant. Absent or null:
   * `calls` are compared.
   */
  @IsOptional() @fromRule(listRule(textRule({ min: 1, max: 512 }), { min: 2, max: MAX_RUNS })) runs?: string[] | null;
  /**
   * Sets of live calls in place of runs, 2 to 10, the baseline first: a row is what was asked, its calls in a set are its trials.
   * No call may be of two sets, and all have at most 100,000. Absent or null: `runs` are compared.
   */
  @IsOptional() @NestedList(() => CompareCallsDto, MAX_RUNS, 2) calls?: CompareCallsDto[] | null;
  /**
   * What is compared, at most 50: `scores.<name>` or `scores.<name>.<path>`, `latency_ms`, `cost_usd`, `tokens`, `length`,
   * `failed`. A score that is an object means all numbers in it. Absent or null: all that the baseline and a candidate have.
   */
  @IsOptional() @IsTextList({ min: 1, max: MAX_METRIC_NAME, maxItems: MAX_COMPARED_METRICS }) metrics?: string[] | null;
  /** Scores of which less is better, at most 50; of the other metrics it always is. Absent or null: more is, of each score. */
  @IsOptional()
  @IsTextList({ min: 1, max: MAX_METRIC_NAME, maxItems: MAX_COMPARED_METRICS })
  lower_is_better?: string[] | null;
  /**
   * Scores that are facts and nobody's opinion, at most 50, such as an exact match by code of yours: they are not marked
   * `judge_only`. Hone's own checks are known, where every run that has the score names one. Absent or null: none.
   */
  @IsOptional() @IsTextList({ min: 1, max: MAX_METRIC_NAME, maxItems: MAX_COMPARED_METRICS }) facts?: string[] | null;
  /** Metric -> largest loss that you accept, in its unit, 0 to 1e12: adds a test of non-inferiority. Absent or null: none. */
  @IsOptional() @fromRule(mapRule(numberRule({ min: 0, max: MAX_MARGIN }))) margins?: Record<string, number> | null;
  /**
   * Score -> half-width within which its difference is to be known, in its unit, above 0 to 1e12: adds how many rows people
   * have to label, as `label_plan`. Absent or null: none.
   */
  @IsOptional()
  @fromRule(mapRule(numberRule({ above: 0, max: MAX_MARGIN })))
  widths?: Record<string, number> | null;
  /** Parts of the rows, at most 20. Absent or null: none. */
  @IsOptional() @NestedList(() => CompareSliceDto, MAX_SLICES) slices?: CompareSliceDto[] | null;
  /** Labels of people that correct judges, at most 50, one for each metric. Absent or null: there are none. */
  @IsOptional() @NestedList(() => CompareTruthDto, MAX_COMPARED_METRICS) truth?: CompareTruthDto[] | null;
  /** Share of samples whose intervals hold the true figure, 0.5 to 0.9999. Absent or null: 0.95. */
  @IsOptional() @IsNumber({ min: 0.5, max: 0.9999 }) level?: number | null;
  /** Of the bootstrap's random numbers, 0 to 4,294,967,295: the same seed gives the same intervals. Absent or null: 0. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_SEED }) seed?: number | null;
}
