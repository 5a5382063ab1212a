import { IsOptional } from 'class-validator';

import { ALIAS_SHAPE } from '../names/checkpoint-alias.js';
import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { TRAINING_DATA_KINDS, type TrainingDataKind } from '../training/training-data.dto.js';
import { AcceptsUnknownFields, fromRule, Nested, NestedList } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsNumber,
  IsStorableObject,
  IsText,
  IsTextList,
  IsWord,
  listRule,
  textRule,
} from '../validation/rules.js';
import { GateSettingsDto } from './gates.dto.js';

export const PIPELINE_RUN_STATUSES = [
  ...(['running', 'promoted', 'rejected', 'undecided', 'needs_labels'] as const),
  ...(['no_data', 'refused', 'alias_moved', 'failed', 'cancelled'] as const),
] as const;
export type PipelineRunStatus = (typeof PIPELINE_RUN_STATUSES)[number];
export const PIPELINE_STEPS = ['data', 'training', 'evaluation', 'gate', 'promotion'] as const;
export type PipelineStep = (typeof PIPELINE_STEPS)[number];

const MAX_NAME = 128;
const MAX_REF = 512;
const MAX_USD = 1e6;

/** How a pipeline makes training data: what `POST /v1/preview/training-data/from-calls` takes, but for the project and the name. */
@AcceptsUnknownFields()
export class PipelineDataDto {
  /** What the data is for, which says how is trained. */
  @IsWord(TRAINING_DATA_KINDS) kind!: TrainingDataKind;
  /** Further members of the request, as `source`, `reward` and `accept`. Absent or null: none. */
  @IsOptional() @IsStorableObject() options?: Record<string, unknown> | null;
}

/** What both models answer, and who judges it. */
export class PipelineEvaluationDto {
  /** Dataset of held-out rows: its ref, its id for the newest version at each run, or `<id>:<version>`. None of its prompts should be in the training data. */
  @IsText({ min: 1, max: MAX_REF }) dataset!: string;
  /** Scorers, named as the dataset is, 1 to 20. */
  @fromRule(listRule(textRule({ min: 1, max: MAX_REF }), { min: 1, max: 20 })) scorers!: string[];
  /** Further members of each request, such as `temperature` and `max_tokens`. Absent or null: none. */
  @IsOptional() @IsStorableObject() parameters?: Record<string, unknown> | null;
  /** Times that each model is asked each row, 1 to 20. Absent or null: 1. */
  @IsOptional() @IsInteger({ min: 1, max: 20 }) trials?: number | null;
}

/** Body of `POST /evaluation/pipelines`. */
@Example({
  project_id: 'acme/demo',
  name: 'helper every night',
  model_id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
  every_hours: 24,
  data: { kind: 'thumbs', options: { source: {} } },
  config: { method: 'kto' },
  evaluate: { dataset: 'questions', scorers: ['exact'] },
  gate: { metric: 'scores.exact.passed' },
  promote_to: 'production',
})
export class PipelineCreateDto {
  /** Project `<entity>/<project>` of the model and all that takes part. */
  @IsProjectId() project_id!: string;
  /** Name, 1 to 128 characters, unique in the project. */
  @IsText({ min: 1, max: MAX_NAME }) name!: string;
  /** Id of the model that is trained. */
  @IsUuid() model_id!: string;
  /** Hours from the start of a run to that of the next, 0.1 to 8,760. Absent or null: no schedule. */
  @IsOptional() @IsNumber({ min: 0.1, max: 8_760 }) every_hours?: number | null;
  /** A run starts once so many calls were judged since the last one, 1 to 1,000,000. Absent or null: nobody counts. */
  @IsOptional() @IsInteger({ min: 1, max: 1_000_000 }) new_judged_calls?: number | null;
  /** What is learnt from. */
  @Nested(() => PipelineDataDto) data!: PipelineDataDto;
  /** Settings of the training job, as its kind takes them. Absent or null: the defaults. */
  @IsOptional() @IsStorableObject() config?: Record<string, unknown> | null;
  /** How the candidate is compared with what `promote_to` names. */
  @Nested(() => PipelineEvaluationDto) evaluate!: PipelineEvaluationDto;
  /** What decides. Its `alpha` is spent over the life of the pipeline: the k-th gate has 6/(π²k²) of it. */
  @Nested(() => GateSettingsDto) gate!: GateSettingsDto;
  /** Alias of the model that names the current checkpoint, and the candidate once it is promoted. Is it unknown, it is made for the base model. */
  @IsText({ max: 64, shape: ALIAS_SHAPE }) promote_to!: string;
  /** Most US dollars that the evaluation of a run may spend, above 0. Absent or null: no limit but those of the key and the project. */
  @IsOptional() @IsNumber({ above: 0, max: MAX_USD }) max_cost_usd?: number | null;
  /** Whether it starts nothing by itself for now. Absent or null: false. */
  @IsOptional() @IsFlag() paused?: boolean | null;
}

/** Body of `PUT /evaluation/pipelines/{pipeline_id}`. */
@Example({ paused: true })
export class PipelineUpdateDto {
  /** Whether it starts nothing by itself for now. */
  @IsFlag() paused!: boolean;
}

/** Query of `GET /evaluation/pipelines`. */
@AcceptsUnknownFields()
@Example({ project_id: 'acme/demo' })
export class PipelinesQueryDto {
  /** Project `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
}

/** Query of `GET /evaluation/pipelines/{pipeline_id}/runs`. */
@AcceptsUnknownFields()
@Example({})
export class PipelineRunsQueryDto {
  /** The `next_cursor` of the page before. Absent: the newest runs. */
  @IsOptional() @IsUuid() cursor?: string;
}

/** One step of a run, with what it made. */
export class PipelineRunStepDto {
  /** Which one. */
  @IsWord(PIPELINE_STEPS) step!: PipelineStep;
  /** When it began. */
  @IsDateTime() started_at!: string;
  /** When it ended. Null: it goes on. */
  @IsOptional() @IsDateTime() ended_at!: string | null;
  /** URL of the training data that it made. Null: another step, or not yet. */
  @IsOptional() @IsText() data_url!: string | null;
  /** Id of the training job. Null: another step, or not yet. */
  @IsOptional() @IsUuid() training_job_id!: string | null;
  /** Step of the checkpoint that the job made. Null: another step, or not yet. */
  @IsOptional() @IsInteger({ min: 0 }) candidate_step!: number | null;
  /** Id of the evaluation on the server. Null: another step, or not yet. */
  @IsOptional() @IsUuid() evaluation_job_id!: string | null;
  /** Ids of the evaluation runs: of the current checkpoint, and of the candidate. Empty: another step, or not yet. */
  @IsTextList() run_ids!: string[];
  /** Id of the gate. Null: another step, or not yet. */
  @IsOptional() @IsUuid() gate_id!: string | null;
  /** What became of it, in one sentence. Null: nothing is to say. */
  @IsOptional() @IsText() note!: string | null;
}

/** A run of a pipeline, from calls to a promoted checkpoint, or to the reason why there is none. */
export class PipelineRunDto {
  /** Its id. */
  @IsUuid() id!: string;
  /** Id of its pipeline. */
  @IsUuid() pipeline_id!: string;
  /** Counts the runs of the pipeline from 1. */
  @IsInteger({ min: 1 }) number!: number;
  /** `running`, or how it ended: `refused` could have done harm, `alias_moved` found that somebody else had moved the alias meanwhile. */
  @IsWord(PIPELINE_RUN_STATUSES) status!: PipelineRunStatus;
  /** Why it ended as it did, in a sentence. Null: it runs. */
  @IsOptional() @IsText() reason!: string | null;
  /** What started it: `schedule`, `judged_calls`, or `request`. */
  @IsText() started_by!: string;
  /** Step of the checkpoint that the alias named when it began. Null: nothing was read yet. */
  @IsOptional() @IsInteger({ min: 0 }) current_step!: number | null;
  /** Chance of its gate to promote a candidate that is no better. Null: it has none yet. */
  @IsOptional() @IsNumber() alpha!: number | null;
  /** Steps in their order. */
  @NestedList(() => PipelineRunStepDto) steps!: PipelineRunStepDto[];
  /** What its evaluation has spent, in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** When it began. */
  @IsDateTime() started_at!: string;
  /** When it ended. Null: it runs. */
  @IsOptional() @IsDateTime() ended_at!: string | null;
}

/** A loop that trains, compares and promotes by itself. */
export class PipelineDto {
  /** Its id. */
  @IsUuid() id!: string;
  /** What it was asked, as it was sent. */
  @Nested(() => PipelineCreateDto) settings!: PipelineCreateDto;
  /** Whether it starts nothing by itself for now. */
  @IsFlag() paused!: boolean;
  /** What is missing before a run may start, in sentences. Empty: nothing. */
  @IsTextList() missing!: string[];
  /** Runs so far. */
  @IsInteger({ min: 0 }) runs!: number;
  /** Gates so far, over which its alpha is spent. */
  @IsInteger({ min: 0 }) gates!: number;
  /** Alpha that its gates have spent. */
  @IsNumber() alpha_spent!: number;
  /** The newest run. Null: there is none. */
  @IsOptional() @Nested(() => PipelineRunDto) last_run!: PipelineRunDto | null;
  /** When the next run is due by its schedule. Null: it has none, or is paused. */
  @IsOptional() @IsDateTime() next_run_at!: string | null;
  /** Id of the user who made it, in whose name it runs. */
  @IsUuid() created_by!: string;
  /** When it was made. */
  @IsDateTime() created_at!: string;
}

/** Pipelines of a project, by name. */
export class PipelineListDto {
  /** All of them. */
  @NestedList(() => PipelineDto) pipelines!: PipelineDto[];
}

/** Runs of a pipeline, the newest first. */
export class PipelineRunPageDto {
  /** At most 50. */
  @NestedList(() => PipelineRunDto) runs!: PipelineRunDto[];
  /** Gives the next page. Null: this is the last one. */
  @IsOptional() @IsUuid() next_cursor!: string | null;
}
