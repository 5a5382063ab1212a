import { IsOptional } from 'class-validator';

import { issue, valueIssue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { IsDateTime } from '../names/date-time.js';
import { IsObjectId, IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, MayOmit, Nested, NestedList, type Rule } from '../validation/rule.js';
import { IsInteger, IsNumber, isStorableJson, IsText, IsWord, listRule, textRule } from '../validation/rules.js';
import { SCORING_STATUSES, type ScoringStatus } from './scorings.dto.js';

const MAX_CANDIDATES = 5;
const MAX_SCORERS = 20;
const NAME = { min: 1, max: 512 };
/** Members of a request that the job sets itself, or that would make its answer another form. */
const RESERVED_PARAMETERS: readonly string[] = [
  'model',
  'messages',
  'prompt',
  'seed',
  'n',
  'stream',
  'stream_options',
  'user',
];
export const PARAMETERS: Rule = {
  name: 'isParameters',
  issues(value) {
    if (!isJsonObject(value)) return [issue('dict_type')];
    if (!isStorableJson(value)) return [issue('string_unicode')];
    const reserved = Object.keys(value).filter((key) => RESERVED_PARAMETERS.includes(key));
    return reserved.map((key) => valueIssue('The evaluation sets this itself', [key]));
  },
  schema: { type: 'object', propertyNames: { not: { enum: RESERVED_PARAMETERS } }, additionalProperties: true },
};

/** These members are there, those are absent or null. */
const given = (names: readonly string[], others: readonly string[] = []) => ({
  properties: {
    ...Object.fromEntries(names.map((name) => [name, { description: 'It is given.', not: { type: 'null' } }])),
    ...Object.fromEntries(others.map((name) => [name, { description: 'It is not given.', type: 'null' }])),
  },
  required: [...names],
});

/** What answers the rows: a model, a prompt and a model, or a prompt that names its model. */
@Constrained({ schema: { anyOf: [given(['model']), given(['prompt'])] } })
export class EvaluationCandidateDto {
  /**
   * Model as requests name it: of an upstream, a trained model, one of its checkpoints, or an alias. Absent or null: the one
   * that the prompt names.
   */
  @IsOptional() @IsText(NAME) model?: string | null;
  /**
   * Prompt object of the project, by its ref, its id for the newest version, or `<id>:<version>`. Its variables are the
   * members of a row; its messages come before those of the row. Absent or null: the row is all that is asked.
   */
  @IsOptional() @IsText(NAME) prompt?: string | null;
  /** Further members of each request, such as `temperature` and `max_tokens`. Absent or null: none. */
  @IsOptional() @fromRule(PARAMETERS) parameters?: Record<string, unknown> | null;
  /**
   * Id of the model object under which the candidate is stored, 1 to 128 letters, digits, `_ . -`; unique among the
   * candidates. Absent or null: made of model and prompt.
   */
  @IsOptional() @IsObjectId() name?: string | null;
}

/** Body of `POST /evaluation/runs`. */
@Constrained({
  schema: {
    anyOf: [given(['evaluation'], ['dataset', 'scorers']), given(['dataset', 'scorers'], ['evaluation'])],
    allOf: [{ properties: { candidates: { minItems: 1 } } }],
  },
})
@Example({
  project_id: 'acme/demo',
  dataset: 'questions',
  scorers: ['exact'],
  candidates: [{ model: 'hone-tiny', parameters: { temperature: 0 } }],
  max_cost_usd: 1,
})
export class EvaluationJobCreateDto {
  /** Project `<entity>/<project>` of all that takes part. */
  @IsProjectId() project_id!: string;
  /**
   * A stored evaluation, which says dataset, scorers and trials: its ref, its id for the newest version, or
   * `<id>:<version>`. Absent or null: `dataset` and `scorers` say so, and an evaluation of these is stored.
   */
  @IsOptional() @IsText(NAME) evaluation?: string | null;
  /** The dataset, named as an evaluation is. Beside `scorers`, not beside `evaluation`. */
  @IsOptional() @IsText(NAME) dataset?: string | null;
  /** The scorers, named as an evaluation is, 1 to 20. Beside `dataset`, not beside `evaluation`. */
  @IsOptional() @fromRule(listRule(textRule(NAME), { min: 1, max: MAX_SCORERS })) scorers?: string[] | null;
  /** What is evaluated, 1 to 5. Each has an evaluation run of its own. */
  @NestedList(() => EvaluationCandidateDto, MAX_CANDIDATES) candidates!: EvaluationCandidateDto[];
  /**
   * What scorers of the kind `pairwise` compare answers with: the name of one of the candidates, or the id or ref of an evaluation
   * run of the project, row by row and trial by trial. Absent or null: with what the scorers name themselves.
   */
  @IsOptional() @IsText(NAME) baseline?: string | null;
  /** Times that each candidate is asked each row, 1 to 20. Absent or null: as `evaluation` says, which must be the same; else 1. */
  @IsOptional() @IsInteger({ min: 1, max: 20 }) trials?: number | null;
  /** Answers and scores in flight at once, 1 to 32. Absent or null: 8. */
  @IsOptional() @IsInteger({ min: 1, max: 32 }) concurrency?: number | null;
  /** Most US dollars to spend beyond what is in flight, above 0. Absent or null: no limit but those of the key and the project. */
  @IsOptional() @IsNumber({ above: 0, max: 1e6 }) max_cost_usd?: number | null;
  /** Seed of the first trial, 0 to 1,000,000,000; those of the next ones follow. Absent or null: 0. */
  @IsOptional() @IsInteger({ min: 0, max: 1_000_000_000 }) seed?: number | null;
}

/** How many answers, or scores, are in which state. */
export class EvaluationCountsDto {
  /** Wait, or are in flight. Scores wait once their answers are there. */
  @IsInteger({ min: 0 }) pending!: number;
  /** Are there. */
  @IsInteger({ min: 0 }) done!: number;
  /** Scores alone: the answer has nothing that the scorer judges. */
  @IsInteger({ min: 0 }) skipped!: number;
  /** Are not there after all tries. */
  @IsInteger({ min: 0 }) failed!: number;
}

/** A candidate of a job, and how far it is. */
export class EvaluationJobCandidateDto {
  /** Id of its model object. */
  @IsText() name!: string;
  /** Ref of the version of its model object. */
  @IsText() model!: string;
  /** Id of its evaluation run, which is there once the job runs. */
  @IsText() evaluation_run_id!: string;
  /** Its answers: one for each row and trial. */
  @Nested(() => EvaluationCountsDto) answers!: EvaluationCountsDto;
  /** What scorers found about them: one for each answer and scorer; none of answers that are compared with themselves. */
  @Nested(() => EvaluationCountsDto) scores!: EvaluationCountsDto;
  /** Spent so far on its answers and scores, in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
}

/** Answers or scores that are not there for one reason. */
export class EvaluationProblemDto {
  /** `skipped` or `failed`. */
  @IsText() state!: string;
  /** Why, as `model_not_found` or `missing_question`. */
  @IsText() code!: string;
  /** How many answers and scores. */
  @IsInteger({ min: 1 }) count!: number;
  /** Digest of one of the rows. */
  @IsText() example_row_digest!: string;
}

/** A job that asks candidates the rows of a dataset, and has scorers judge what they answer. */
@Example({
  id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
  project_id: 'acme/demo',
  evaluation: 'hone:///acme/demo/object/questions-evaluation:5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  status: 'running',
  rows: 100,
  trials: 1,
  baseline_run_id: null,
  candidates: [
    {
      name: 'hone-tiny',
      model: 'hone:///acme/demo/object/hone-tiny:6qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
      evaluation_run_id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3e',
      answers: { pending: 20, done: 79, skipped: 0, failed: 1 },
      scores: { pending: 1, done: 78, skipped: 0, failed: 0 },
      cost_usd: 0.02,
    },
  ],
  problems: [],
  cost_usd: 0.02,
  max_cost_usd: 1,
  error: null,
  created_at: '2026-01-15T10:00:05.000Z',
  finished_at: null,
})
export class EvaluationJobDto {
  /** Id of the job. */
  @IsUuid() id!: string;
  /** Project `<entity>/<project>`. */
  @IsText() project_id!: string;
  /** Ref of the evaluation's version. */
  @IsText() evaluation!: string;
  /** `queued` and `running`, then one of the others for good, unless what failed is tried again. */
  @IsWord(SCORING_STATUSES) status!: ScoringStatus;
  /** Different rows of the dataset. Null: they have not been counted yet. */
  @IsOptional() @IsInteger({ min: 0 }) rows!: number | null;
  /** Times that each candidate is asked each row. */
  @IsInteger({ min: 1 }) trials!: number;
  /** Id of the evaluation run that scorers of the kind `pairwise` compare answers with. Null: there is none. */
  @IsOptional() @IsText() baseline_run_id!: string | null;
  /** The candidates, in the order of the request. */
  @NestedList(() => EvaluationJobCandidateDto) candidates!: EvaluationJobCandidateDto[];
  /** Why answers and scores are not there, the most frequent reasons first, at most 20. */
  @NestedList(() => EvaluationProblemDto) problems!: EvaluationProblemDto[];
  /** Spent so far, in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** Most to spend. Null: no limit of its own. */
  @IsOptional() @IsNumber() max_cost_usd!: number | null;
  /** Why the job failed, or was cancelled by a deletion. Null: it was not. */
  @IsOptional() @IsText() error!: string | null;
  /** When it was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** When nothing was in flight any more and the summaries were written, ISO 8601 in UTC. Null: not yet. */
  @IsOptional() @IsDateTime() finished_at!: string | null;
}

/** Query of `GET /evaluation/runs`. */
@AcceptsUnknownFields()
export class EvaluationJobsQueryDto {
  /** Project `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
  /** `next_cursor` of the page before. Absent: the newest jobs. */
  @MayOmit() @IsUuid() cursor?: string;
}

/** Answer of `GET /evaluation/runs`: at most 50 jobs, the newest first. */
export class EvaluationJobPageDto {
  /** The jobs of the page. */
  @NestedList(() => EvaluationJobDto) runs!: EvaluationJobDto[];
  /** Goes into the next request. Null: there are no more. */
  @IsOptional() @IsText() next_cursor!: string | null;
}
