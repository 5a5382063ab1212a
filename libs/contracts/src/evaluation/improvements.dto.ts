import { IsOptional } from 'class-validator';

import { ALIAS_SHAPE } from '../names/checkpoint-alias.js';
import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, Nested, NestedList } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsNumber,
  IsStorableObject,
  IsText,
  IsWord,
  listRule,
  textRule,
  wordRule,
} from '../validation/rules.js';
import { GateIntervalDto, GateSettingsDto } from './gates.dto.js';
import { PIPELINE_STEPS, type PipelineStep } from './pipelines.dto.js';

export const IMPROVEMENT_METHODS = ['sft', 'dpo', 'kto', 'rl', 'distill', 'prompt'] as const;
export type ImprovementMethod = (typeof IMPROVEMENT_METHODS)[number];
export const IMPROVEMENT_STATUSES = [
  ...(['proposed', 'running', 'promoted', 'kept', 'needs_labels', 'no_data'] as const),
  ...(['refused', 'alias_moved', 'failed', 'cancelled'] as const),
] as const;
export type ImprovementStatus = (typeof IMPROVEMENT_STATUSES)[number];
export const IMPROVEMENT_CANDIDATE_STATES = [
  ...(['possible', 'not_possible', 'training', 'trained', 'failed'] as const),
  ...(['better', 'not_better', 'worse', 'needs_labels', 'promoted'] as const),
] as const;
export type ImprovementCandidateState = (typeof IMPROVEMENT_CANDIDATE_STATES)[number];

const MAX_REF = 512;
const MAX_USD = 1e6;
const MAX_MINUTES = 10_080;

/** What the current model and the candidates answer, and who judges it. */
export class ImprovementEvaluationDto {
  /** Scorers, by their refs, their ids for the newest versions, or `<id>:<version>`, 1 to 20. */
  @fromRule(listRule(textRule({ min: 1, max: MAX_REF }), { min: 1, max: 20 })) scorers!: string[];
  /**
   * Dataset of held-out rows, named as the scorers are; none of its prompts should be among the calls. Absent or null: a third of
   * the prompts of the calls is held out of all training, and is asked, at most 300 rows; corrected answers are their `expected`.
   */
  @IsOptional() @IsText({ min: 1, max: MAX_REF }) dataset?: string | null;
  /** Further members of each request, such as `temperature` and `max_tokens`. Absent or null: none. */
  @IsOptional() @IsStorableObject() parameters?: Record<string, unknown> | null;
  /** Times that each model is asked each row, 1 to 20. Absent or null: 1. */
  @IsOptional() @IsInteger({ min: 1, max: 20 }) trials?: number | null;
}

/** Body of `POST /evaluation/improve`. */
@Example({
  project_id: 'acme/demo',
  model_id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
  evaluate: { scorers: ['exact'], parameters: { max_tokens: 64 } },
  max_minutes: 30,
})
export class ImproveDto {
  /** Project `<entity>/<project>` of the model and the calls. */
  @IsProjectId() project_id!: string;
  /** Id of the model that is trained. */
  @IsUuid() model_id!: string;
  /** Alias of the model that names the current checkpoint, and the best candidate once it is promoted; of the prompt, if its edit is. Is it unknown, it is made for the base model. Absent or null: `production`. */
  @IsOptional() @IsText({ max: 64, shape: ALIAS_SHAPE }) alias?: string | null;
  /**
   * Ways to learn that are tried where the calls allow them: `sft` from corrections, `dpo` from pairs, `kto` from thumbs, `rl` from groups
   * of the model's own answers, `distill` from the calls of `teacher`; `prompt` has a model edit the prompt. Absent or null: all.
   */
  @IsOptional()
  @fromRule(listRule(wordRule(IMPROVEMENT_METHODS), { min: 1, max: IMPROVEMENT_METHODS.length }))
  methods?: ImprovementMethod[] | null;
  /**
   * Which judged calls are learnt from: members of `POST /v1/preview/training-data/from-calls` that go for every method, as `source`,
   * `reward` and `people_first`. Absent or null: all calls of the project, by their thumbs and corrections.
   */
  @IsOptional() @IsStorableObject() data?: Record<string, unknown> | null;
  /** A stronger model, as requests name it, whose calls are learnt from, and which edits the prompt. Absent or null: none. */
  @IsOptional() @IsText({ min: 1, max: MAX_REF }) teacher?: string | null;
  /**
   * Prompt object that the model is asked with, by its ref, its id for the newest version, or `<id>:<version>`: all candidates are asked
   * with it, and one of them is an edit of it, made by `teacher`, or by the model itself. Absent or null: none.
   */
  @IsOptional() @IsText({ min: 1, max: MAX_REF }) prompt?: string | null;
  /** Method -> settings of its training job. Absent or null: the defaults. */
  @IsOptional() @IsStorableObject() configs?: Record<string, unknown> | null;
  /** How the candidates are compared with the current checkpoint. */
  @Nested(() => ImprovementEvaluationDto) evaluate!: ImprovementEvaluationDto;
  /** What decides. Its `alpha` is shared by the candidates. Absent or null: the first score of the first scorer, with the defaults. */
  @IsOptional() @Nested(() => GateSettingsDto) gate?: GateSettingsDto | null;
  /** Most US dollars that the evaluation, and the edits of a prompt, may spend each, above 0. Absent or null: no limit but those of the key and the project. */
  @IsOptional() @IsNumber({ above: 0, max: MAX_USD }) max_cost_usd?: number | null;
  /** Minutes from the start after which what still trains is cancelled, and the rest is evaluated, 1 to 10,080. Absent or null: 120. */
  @IsOptional() @IsInteger({ min: 1, max: MAX_MINUTES }) max_minutes?: number | null;
  /** Whether it is only said which methods the calls allow, and nothing is stored. Absent or null: false. */
  @IsOptional() @IsFlag() dry_run?: boolean | null;
}

/** Query of `GET /evaluation/improvements`. */
@AcceptsUnknownFields()
@Example({ project_id: 'acme/demo' })
export class ImprovementsQueryDto {
  /** Project `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
  /** The `next_cursor` of the page before. Absent: the newest ones. */
  @IsOptional() @IsUuid() cursor?: string;
}

/** How often a candidate's answers to held-out rows are better than those of the current checkpoint. */
export class ImprovementWinRateDto {
  /** Share of the rows that it wins; a tie counts half. */
  @IsNumber({ min: 0, max: 1 }) estimate!: number;
  /** Lower end of its 95 % interval: Wilson's where nothing ties, else Student's t. */
  @IsNumber({ min: 0, max: 1 }) low!: number;
  /** Upper end of its 95 % interval. */
  @IsNumber({ min: 0, max: 1 }) high!: number;
  /** Rows that were compared. */
  @IsInteger({ min: 0 }) rows!: number;
}

/** One way to learn, and what became of it. */
export class ImprovementCandidateDto {
  /** Which one. */
  @IsWord(IMPROVEMENT_METHODS) method!: ImprovementMethod;
  /** How far it is: `possible` and `not_possible` say what the calls allow, `better`, `not_better` and `worse` what the gate found. */
  @IsWord(IMPROVEMENT_CANDIDATE_STATES) state!: ImprovementCandidateState;
  /** Why, in a sentence. */
  @IsText() reason!: string;
  /** Calls that it learns from. */
  @IsInteger({ min: 0 }) calls!: number;
  /** URL of the training data; of `prompt` the dataset of the rows on which edits are tried. Null: none was made. */
  @IsOptional() @IsText() data_url!: string | null;
  /** Id of the training job. Null: none was started. */
  @IsOptional() @IsUuid() training_job_id!: string | null;
  /** Id of the job that edits the prompt. Null: another method, or not yet. */
  @IsOptional() @IsUuid() prompt_edit_id!: string | null;
  /** Ref of the edited prompt. Null: another method, or none is better so far. */
  @IsOptional() @IsText() prompt!: string | null;
  /** Step of the checkpoint that it made. Null: none. */
  @IsOptional() @IsInteger({ min: 0 }) step!: number | null;
  /** Id of its evaluation run. Null: there is none yet. */
  @IsOptional() @IsText() run_id!: string | null;
  /** Id of its gate. Null: there is none yet. */
  @IsOptional() @IsUuid() gate_id!: string | null;
  /** How much better it is, in shares of the scale, as its gate saw it last. Null: nothing is known. */
  @IsOptional() @Nested(() => GateIntervalDto) gain!: GateIntervalDto | null;
  /** How often it wins on the held-out rows. Null: nothing is known. */
  @IsOptional() @Nested(() => ImprovementWinRateDto) win_rate!: ImprovementWinRateDto | null;
}

/** An attempt to make a model better by its judged calls. */
export class ImprovementDto {
  /** Its id. Null: a dry run, of which nothing is stored. */
  @IsOptional() @IsUuid() id!: string | null;
  /** What it was asked. */
  @Nested(() => ImproveDto) settings!: ImproveDto;
  /** `proposed`: a dry run; `running`; or how it ended: `kept` means that no candidate is proven to be better, `refused` that it could have done harm, `alias_moved` that somebody else had moved the alias meanwhile. */
  @IsWord(IMPROVEMENT_STATUSES) status!: ImprovementStatus;
  /** What it is doing. Null: it has ended, or is a dry run. */
  @IsOptional() @IsWord(PIPELINE_STEPS) step!: PipelineStep | null;
  /** Why it ended as it did, or what it does, in a sentence. */
  @IsText() sentence!: string;
  /** Step of the checkpoint that the alias named when it began. Null: nothing was read yet. */
  @IsOptional() @IsInteger({ min: 0 }) current_step!: number | null;
  /** Dataset of the held-out rows. Null: none was made yet. */
  @IsOptional() @IsText() dataset!: string | null;
  /** Evaluation run of the current checkpoint. Null: there is none yet. */
  @IsOptional() @IsText() current_run_id!: string | null;
  /** The methods, each with what became of it. */
  @NestedList(() => ImprovementCandidateDto) candidates!: ImprovementCandidateDto[];
  /** What its evaluation has spent, in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** Id of the user who asked for it, in whose name it runs. */
  @IsUuid() created_by!: string;
  /** When it was asked for. */
  @IsDateTime() created_at!: string;
  /** When it ended. Null: it runs, or is a dry run. */
  @IsOptional() @IsDateTime() ended_at!: string | null;
}

/** Improvements of a project, the newest first. */
export class ImprovementPageDto {
  /** At most 50. */
  @NestedList(() => ImprovementDto) improvements!: ImprovementDto[];
  /** Gives the next page. Null: this is the last one. */
  @IsOptional() @IsUuid() next_cursor!: string | null;
}
