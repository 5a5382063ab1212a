import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, MayOmit, Nested, NestedList } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsJsonValue,
  IsNumber,
  IsText,
  IsWord,
  listRule,
  numberRule,
  textRule,
} from '../validation/rules.js';
import { PARAMETERS } from './evaluation-jobs.dto.js';

export const PROMPT_EDIT_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
export type PromptEditStatus = (typeof PROMPT_EDIT_STATUSES)[number];
export const DROPPED_EDITS = ['leak', 'malformed', 'repeated', 'unanswered', 'worse'] as const;
/** Why an edit was dropped. */
export type DroppedEdit = (typeof DROPPED_EDITS)[number];

const NAME = { min: 1, max: 512 };
const MAX_SCORERS = 20;
const MAX_METRIC = 1_024;
const MAX_SCALE = 1e12;
const ENDS = 2;
const MESSAGES = { type: 'array', items: { type: 'object', additionalProperties: true } };

/** Body of `POST /evaluation/prompt-edits`. */
@Example({
  project_id: 'acme/demo',
  prompt: 'brief',
  model: 'hone-tiny',
  dataset: 'questions',
  scorers: ['exact'],
  metric: 'scores.exact.passed',
  max_evaluations: 100,
  max_cost_usd: 1,
})
export class PromptEditCreateDto {
  /** Project `<entity>/<project>` of all that takes part. */
  @IsProjectId() project_id!: string;
  /**
   * Prompt object to be edited, by its ref, its id for the newest version, or `<id>:<version>`. Its variables are the members of
   * a row; the texts of its messages have at most 32,768 characters together.
   */
  @IsText(NAME) prompt!: string;
  /** Model that answers with the prompt, as requests name it: of an upstream, a trained model, a checkpoint, or an alias. */
  @IsText(NAME) model!: string;
  /** Model that reads the failures and edits the prompt. Absent or null: `model`. */
  @IsOptional() @IsText(NAME) reflection_model?: string | null;
  /** Dataset whose rows are asked, named as the prompt is; two different rows at least. */
  @IsText(NAME) dataset!: string;
  /** Scorers of the answers, named as the prompt is, 1 to 20, each once. What they find is what the reflection model reads. */
  @fromRule(listRule(textRule(NAME), { min: 1, max: MAX_SCORERS })) scorers!: string[];
  /** The score that decides, as `scores.exact.passed`. An answer that failed has the worst score. */
  @IsText({ min: 1, max: MAX_METRIC }) metric!: string;
  /** Least and largest score, within ±1e12; one beyond them counts as the nearer of the two. Absent or null: as the scorer says. */
  @IsOptional()
  @fromRule(listRule(numberRule({ min: -MAX_SCALE, max: MAX_SCALE }), { min: ENDS, max: ENDS }))
  scale?: number[] | null;
  /** Whether less is better. Absent or null: false. */
  @IsOptional() @IsFlag() lower_is_better?: boolean | null;
  /** Further members of each request for an answer, such as `temperature` and `max_tokens`. Absent or null: none. */
  @IsOptional() @fromRule(PARAMETERS) parameters?: Record<string, unknown> | null;
  /** Most answers that are asked for, over all prompts and rows, held-out ones too, 20 to 200. Absent or null: 100. */
  @IsOptional() @IsInteger({ min: 20, max: 200 }) max_evaluations?: number | null;
  /** Chance of a row to be held out: such rows decide at the end, and no edit is made of them, 0.1 to 0.9. Absent or null: 0.5. */
  @IsOptional() @IsNumber({ min: 0.1, max: 0.9 }) holdout?: number | null;
  /** Most US dollars to spend beyond what is in flight, above 0. Absent or null: no limit but those of the key and the project. */
  @IsOptional() @IsNumber({ above: 0, max: 1e6 }) max_cost_usd?: number | null;
  /** Seed of all that is drawn, and of each request, 0 to 1,000,000,000. Absent or null: 0. */
  @IsOptional() @IsInteger({ min: 0, max: 1_000_000_000 }) seed?: number | null;
}

/** Query of `GET /evaluation/prompt-edits`. */
@AcceptsUnknownFields()
@Example({ project_id: 'acme/demo' })
export class PromptEditsQueryDto {
  /** Project `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
  /** `next_cursor` of the page before. Absent: the newest jobs. */
  @MayOmit() @IsUuid() cursor?: string;
}

/** A prompt of a job: the original, or an edit. */
export class PromptEditCandidateDto {
  /** Its number: 0 is the original, edits follow in the order in which they were made. */
  @IsInteger({ min: 0 }) id!: number;
  /** Number of the prompt that it is an edit of. Null: it is the original. */
  @IsOptional() @IsInteger({ min: 0 }) parent!: number | null;
  /** Its messages. Null: they are not there yet, what the model answered has none, or this is a list of jobs. */
  @IsOptional() @IsJsonValue(MESSAGES) messages!: unknown[] | null;
  /** Practice rows that it was asked and that have a score. */
  @IsInteger({ min: 0 }) rows!: number;
  /** Mean score on them. Null: there are none. */
  @IsOptional() @IsNumber() mean!: number | null;
  /**
   * Why it was dropped: `leak`: it has eight words in a row of a row or an answer that the original does not have; `malformed`: the answer
   * is no edit, lacks a variable, or has a new one; `repeated`: it is a prompt that is there; `unanswered`: the reflection model did not
   * answer; `worse`: it is no better than its parent on a few rows. Null: it was not.
   */
  @IsOptional() @IsWord(DROPPED_EDITS) dropped!: DroppedEdit | null;
  /** More about it, as a sentence. Null: nothing more is to say. */
  @IsOptional() @IsText() detail!: string | null;
}

/** How many edits were dropped, by the reason. */
export class DroppedEditsDto {
  /** Copied from rows or answers. */
  @IsInteger({ min: 0 }) leak!: number;
  /** No edit came, or one that breaks the template. */
  @IsInteger({ min: 0 }) malformed!: number;
  /** Was there already. */
  @IsInteger({ min: 0 }) repeated!: number;
  /** The reflection model did not answer. */
  @IsInteger({ min: 0 }) unanswered!: number;
  /** No better than the parent on a few rows. */
  @IsInteger({ min: 0 }) worse!: number;
}

/** The best edit on the practice rows, and what the held-out rows say of it. */
export class PromptEditBestDto {
  /** Number of the candidate. */
  @IsInteger({ min: 1 }) candidate!: number;
  /** Ref of the new version of the prompt object. Null: on the held-out rows the edit is no better, so that nothing was stored. */
  @IsOptional() @IsText() prompt!: string | null;
  /** Held-out rows on which both have a score. */
  @IsInteger({ min: 0 }) rows!: number;
  /** Mean score of the original on them. Null: there are none. */
  @IsOptional() @IsNumber() original_mean!: number | null;
  /** Mean score of the edit on them. Null: there are none. */
  @IsOptional() @IsNumber() edit_mean!: number | null;
}

/** A job in which a model reads where a prompt failed, and edits it. */
@Example({
  id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
  project_id: 'acme/demo',
  status: 'done',
  prompt: 'hone:///acme/demo/object/brief:5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  settings: {
    project_id: 'acme/demo',
    prompt: 'brief',
    model: 'small',
    dataset: 'questions',
    scorers: ['exact'],
    metric: 'scores.exact.passed',
  },
  practice_rows: 12,
  held_out_rows: 25,
  evaluations: 78,
  max_evaluations: 100,
  candidates: [
    {
      id: 0,
      parent: null,
      messages: [{ role: 'user', content: 'Answer: {{question}}' }],
      rows: 12,
      mean: 0.5,
      dropped: null,
      detail: null,
    },
    {
      id: 1,
      parent: 0,
      messages: [{ role: 'user', content: 'Answer in one word: {{question}}' }],
      rows: 12,
      mean: 0.75,
      dropped: null,
      detail: null,
    },
    {
      id: 2,
      parent: 1,
      messages: null,
      rows: 0,
      mean: null,
      dropped: 'malformed',
      detail: 'The variable {{question}} is missing.',
    },
  ],
  dropped: { leak: 0, malformed: 1, repeated: 0, unanswered: 0, worse: 0 },
  best: {
    candidate: 1,
    prompt: 'hone:///acme/demo/object/brief:6qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
    rows: 25,
    original_mean: 0.48,
    edit_mean: 0.72,
  },
  cost_usd: 0.02,
  max_cost_usd: 1,
  error: null,
  created_by: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3e',
  created_at: '2026-01-15T10:00:05.000Z',
  finished_at: '2026-01-15T10:01:05.000Z',
})
export class PromptEditDto {
  /** Id of the job. */
  @IsUuid() id!: string;
  /** Project `<entity>/<project>`. */
  @IsProjectId() project_id!: string;
  /** `running`, then one of the others for good. `failed`: `error` says why. */
  @IsWord(PROMPT_EDIT_STATUSES) status!: PromptEditStatus;
  /** Ref of the version that is edited. */
  @IsText() prompt!: string;
  /** What the job was asked. */
  @Nested(() => PromptEditCreateDto) settings!: PromptEditCreateDto;
  /** Rows on which edits are tried; the reflection model sees no others. */
  @IsInteger({ min: 1 }) practice_rows!: number;
  /** Rows that decide at the end. */
  @IsInteger({ min: 1 }) held_out_rows!: number;
  /** Answers that are there, with all their scores. */
  @IsInteger({ min: 0 }) evaluations!: number;
  /** Most answers that are asked for. */
  @IsInteger({ min: 1 }) max_evaluations!: number;
  /** The original and its edits, at most 41. */
  @NestedList(() => PromptEditCandidateDto) candidates!: PromptEditCandidateDto[];
  /** How many edits were dropped. */
  @Nested(() => DroppedEditsDto) dropped!: DroppedEditsDto;
  /** The best edit. Null: no edit is better than the original on the practice rows, or nobody knows yet. */
  @IsOptional() @Nested(() => PromptEditBestDto) best!: PromptEditBestDto | null;
  /** Spent so far, in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** Most to spend. Null: no limit of its own. */
  @IsOptional() @IsNumber() max_cost_usd!: number | null;
  /** Why it failed. Null: it did not. */
  @IsOptional() @IsText() error!: string | null;
  /** Id of the user who made it. */
  @IsUuid() created_by!: string;
  /** When it was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** When it ended, ISO 8601 in UTC. Null: it runs. */
  @IsOptional() @IsDateTime() finished_at!: string | null;
}

/** Answer of `GET /evaluation/prompt-edits`: at most 20 jobs, the newest first. */
export class PromptEditPageDto {
  /** The jobs of the page. */
  @NestedList(() => PromptEditDto) prompt_edits!: PromptEditDto[];
  /** Goes into the next request. Null: there are no more. */
  @IsOptional() @IsUuid() next_cursor!: string | null;
}
