import { IsOptional } from 'class-validator';

import { callIdRule, IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsJsonObject,
  IsJsonValue,
  IsText,
  IsTextList,
  IsWord,
  listRule,
  wordRule,
} from '../validation/rules.js';
import { SORT_DIRECTIONS } from './paging.dto.js';

const MAX_INT32 = 2_147_483_647;
/** What a run has of a row. */
export const RESULT_STATUSES = ['predicted', 'failed', 'missing'] as const;
const SORT_FIELD = /^(?:row_digest|output|(?:inputs|output|scores)\..+)$/s;

export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** Which rows are meant; all conditions that are given must hold. */
export class EvalResultsFilterDto {
  /** Digests of rows, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList({ min: 1, max: 256, maxItems: 1_000 }) row_digests?: string[] | null;
  /** Whether only rows are meant that every run has. Absent or null: false. */
  @IsOptional() @IsFlag() in_all_runs?: boolean | null;
  /**
   * Rows are meant of which one of the runs has one of these: `predicted`, a prediction that counts and none that failed;
   * `failed`, one that counts and failed; `missing`, none, though the row is in the dataset of the run's evaluation.
   * Absent, null or empty: `predicted` and `failed`.
   */
  @IsOptional() @fromRule(listRule(wordRule(RESULT_STATUSES), { max: 3 })) statuses?: ResultStatus[] | null;
}

/** One field of rows to sort by. */
export class EvalResultsSortDto {
  /**
   * `row_digest`, `output`, or a dotted path: `inputs.<path>`, `output.<path>`, `scores.<name>` or
   * `scores.<name>.<path>`; at most 1,024 characters. Numbers sort by their mean over the trials of a row, true as 1,
   * false as 0; then comes text, the least of the trials. Outputs and scores of trials that failed, or do not count, are
   * left out.
   */
  @IsText({
    min: 1,
    max: 1_024,
    shape: {
      matches: (text) => SORT_FIELD.test(text),
      description: "row_digest', 'output', 'inputs.<path>', 'output.<path>' or 'scores.<name>",
      pattern: '^(?:row_digest|output|(?:inputs|output|scores)\\.[^\\u0000]+)$',
      examples: ['row_digest', 'inputs.q', 'scores.exact'],
    },
  })
  field!: string;
  /** `asc` or `desc`; rows without the field come last in both. */
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
  /** Id of the run whose trials count. Absent or null: those of all runs. */
  @IsOptional() @fromRule(callIdRule) evaluation_run_id?: string | null;
}

/** Body of `POST /v2/{entity}/{project}/eval_results/query`. */
@Example({
  evaluation_run_ids: ['r1', 'r2'],
  filter: { in_all_runs: true },
  sort_by: [{ field: 'scores.exact', direction: 'asc', evaluation_run_id: 'r1' }],
  limit: 20,
})
export class EvalResultsQueryDto {
  /** Project `<entity>/<project>`, the same as in the path. Absent or null: that of the path. */
  @IsOptional() @IsProjectId() project_id?: string | null;
  /**
   * Ids of the evaluation runs to compare, 1 to 20: runs of this interface, or calls in which a tracing SDK ran an
   * evaluation. A run that there is not has no rows.
   */
  @fromRule(listRule(callIdRule, { min: 1, max: 20 })) evaluation_run_ids!: string[];
  /** Which rows are meant. Absent or null: all. */
  @IsOptional() @Nested(() => EvalResultsFilterDto) filter?: EvalResultsFilterDto | null;
  /** Fields to sort by, the first before the second, at most 20. Ties, absent and null: `row_digest` ascending. */
  @IsOptional() @NestedList(() => EvalResultsSortDto, 20) sort_by?: EvalResultsSortDto[] | null;
  /** Most rows to answer, 0 to 1,000. Absent or null: 100. */
  @IsOptional() @IsInteger({ min: 0, max: 1_000 }) limit?: number | null;
  /** Rows to skip, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) offset?: number | null;
}

/** One prediction for a row. */
export class EvalTrialDto {
  /** Id of the prediction; of an SDK's evaluation, of the call that predicted and scored. */
  @IsText() prediction_id!: string;
  /** What the model answered, as it was sent: any JSON. */
  @IsJsonValue() output!: unknown;
  /**
   * Why the prediction failed; of an SDK's evaluation, what its model or a scorer raised. Null: it did not fail.
   */
  @IsOptional() @IsText() exception!: string | null;
  /**
   * Whether the trial counts. As many predictions of a row count as the evaluation says `trials`: the newest, and of
   * those that failed only what no newer prediction replaces. Where the trials are not known, all that succeeded count.
   */
  @IsFlag() counts!: boolean;
  /** Name of a scorer -> what it found, any JSON; the newest where it found something twice. */
  @IsJsonObject() scores!: Record<string, unknown>;
  /** Name of a scorer -> why it failed. Empty: none did. */
  @IsJsonObject() score_exceptions!: Record<string, unknown>;
  /** Name of a scorer -> id of the score. An SDK's evaluation names none. */
  @IsJsonObject() score_ids!: Record<string, unknown>;
  /** Milliseconds from the start of the prediction to its end. Null: it is open. */
  @IsOptional() @IsInteger() latency_ms!: number | null;
}

/** The predictions of one run for a row. */
export class EvalRunTrialsDto {
  /** Id of the evaluation run. */
  @IsText() evaluation_run_id!: string;
  /** What the run has of the row. */
  @IsWord(RESULT_STATUSES) status!: ResultStatus;
  /** Its predictions for the row, the first made first. Empty: the row is missing. */
  @NestedList(() => EvalTrialDto) trials!: EvalTrialDto[];
}

/** What runs found for one row. */
export class EvalResultRowDto {
  /** Content digest of the inputs, or of the dataset's row; of inputs that an SDK sent whole, mostly another digest of them. */
  @IsText() row_digest!: string;
  /** The inputs, as they were sent; of a dataset's row that an SDK names, its ref; of a missing row, the row. */
  @IsJsonValue() inputs!: unknown;
  /** The runs that have the row, in the order of the body; those that miss it only where `missing` is asked for. */
  @NestedList(() => EvalRunTrialsDto) evaluations!: EvalRunTrialsDto[];
}

/** How many rows a run has, whatever the filter says. */
export class EvalRunSummaryDto {
  /** Id of the evaluation run. */
  @IsText() evaluation_run_id!: string;
  /** Different rows of the evaluation's dataset. Null: the run names no evaluation or dataset that is stored. */
  @IsOptional() @IsInteger({ min: 0 }) dataset_rows!: number | null;
  /** Rows with predictions that count, none of which failed. */
  @IsInteger({ min: 0 }) predicted!: number;
  /** Rows with a prediction that counts and failed. */
  @IsInteger({ min: 0 }) failed!: number;
  /** Rows of the dataset without a prediction. Null: `dataset_rows` is null. */
  @IsOptional() @IsInteger({ min: 0 }) missing!: number | null;
}

/** Answer of `POST /v2/{entity}/{project}/eval_results/query`. */
export class EvalResultsDto {
  /** The rows of the page. */
  @NestedList(() => EvalResultRowDto) rows!: EvalResultRowDto[];
  /** Number of rows on all pages. */
  @IsInteger({ min: 0 }) total_rows!: number;
  /** How many rows each run has, in the order of the body. An unknown project has no runs. */
  @NestedList(() => EvalRunSummaryDto) summary!: EvalRunSummaryDto[];
}
