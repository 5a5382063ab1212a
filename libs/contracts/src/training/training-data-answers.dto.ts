import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsCallId } from '../names/names.js';
import { IsUuid } from '../names/uuid.js';
import { IsQueryInteger, IsQueryText } from '../query/query-rules.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, MayOmit, Nested, NestedList } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsJsonValue,
  IsNumber,
  IsText,
  IsTextList,
  IsWord,
  mapRule,
  textRule,
} from '../validation/rules.js';
import { ArtifactVersionDto } from './artifacts.dto.js';
import { DiagnosisDto } from './diagnosis.dto.js';
import { PageDto } from './page.dto.js';
import { PageQueryDto } from './queries.dto.js';
import { TRAINING_DATA_KINDS, type TrainingDataKind } from './training-data.dto.js';

/** What became of the calls. */
export class TrainingDataCountsDto {
  /** Calls that were read. */
  @IsInteger({ min: 0 }) calls!: number;
  /** Calls in the data that a job can learn from. */
  @IsInteger({ min: 0 }) used!: number;
  /** Lines of the data: conversations, groups, pairs or answers. */
  @IsInteger({ min: 0 }) lines!: number;
  /** `rl`: calls in the data that a job cannot learn from, since all rewards of their group are equal; else 0. */
  @IsInteger({ min: 0 }) untrainable!: number;
  /** `rl`: groups in the data, one a line; else 0. */
  @IsInteger({ min: 0 }) groups!: number;
  /** `rl`: trajectories in the data; else 0. */
  @IsInteger({ min: 0 }) trajectories!: number;
  /** `rl`: tokens of the answers in the data; else 0, for only the tokenizer of a base model could tell. */
  @IsInteger({ min: 0 }) tokens!: number;
}

/** Calls that were left out for one reason. */
export class SkippedCallsDto {
  /**
   * `failed`, `unfinished`, `no_content` (it was not logged), `too_large` (more than 1.5 MiB), `no_conversation`, `several_choices`,
   * `no_correction`, `no_reward`, `below_min_reward`, `duplicate`, `no_tokens`, `unknown_model`, `other_model`,
   * `stale_policy`, `no_group` (no thread, or nothing at the path), `small_group`, `no_preference` (nothing says which of two
   * answers is better) or `not_best`.
   */
  @IsText() reason!: string;
  /** How many there are. */
  @IsInteger({ min: 0 }) count!: number;
  /** Ids of the first of them, at most 5. */
  @IsTextList({ maxItems: 5 }) examples!: string[];
  /** What to change so that such calls are taken. Null: nothing in the request can. */
  @IsOptional() @IsText() hint!: string | null;
}

/** `rl`: which weights answered. */
export class TrainingDataPolicyDto {
  /** Id of the model that answered, a UUID. */
  @IsUuid() model_id!: string;
  /** Its latest step when the data was made; 0: the base. */
  @IsInteger({ min: 0 }) latest_step!: number;
  /** Lowest step that answered. */
  @IsInteger({ min: 0 }) oldest_step!: number;
  /** Steps between the two. */
  @IsInteger({ min: 0 }) max_staleness!: number;
}

/** `distill`: how much of the traffic the models of the data answer, which a model that learns from it could take over. */
export class TrainingDataCoverageDto {
  /** Models that answered the calls in the data, by name, at most 20. */
  @IsTextList({ maxItems: 20 }) models!: string[];
  /** Requests of the project to these models over the last 24 hours, as far as the gateway has metered them. */
  @IsInteger({ min: 0 }) requests!: number;
  /** Their share of all requests of the project, 0 to 1. */
  @IsNumber({ min: 0, max: 1 }) share_of_requests!: number;
  /** What they cost, in US dollars. */
  @IsNumber({ min: 0 }) cost_usd!: number;
  /** Their share of all cost of the project, 0 to 1; 0 where nothing cost anything. */
  @IsNumber({ min: 0, max: 1 }) share_of_cost!: number;
}

/** A line of the data. */
export class TrainingDataPreviewDto {
  /** Split of the line. */
  @IsText() split!: string;
  /** Ids of its calls, at most 5. */
  @IsTextList({ maxItems: 5 }) call_ids!: string[];
  /** The line as it is read by training. Null: it has more than 65,536 bytes. */
  @IsOptional() @IsJsonValue() line!: unknown;
}

/** Answer of `POST /v1/preview/training-data/from-calls`. */
@Example({
  url: 'hone-artifact:///acme/demo/thumbs:v0',
  kind: 'rl',
  reason: null,
  digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  splits: { train: 'hone-artifact:///acme/demo/thumbs:v0/train.jsonl' },
  counts: { calls: 600, used: 548, lines: 60, untrainable: 40, groups: 60, trajectories: 588, tokens: 1_764 },
  skipped: [
    {
      reason: 'no_reward',
      count: 12,
      examples: ['019bc119-0200-7000-8000-000000000001'],
      hint: 'send feedback, or set default_reward',
    },
  ],
  policy: {
    model_id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
    latest_step: 0,
    oldest_step: 0,
    max_staleness: 0,
  },
  coverage: null,
  preview: [],
  diagnosis: null,
})
export class TrainingDataDto {
  /** What `training_data_url` takes. Null: a dry run stores nothing. */
  @IsOptional() @IsText() url!: string | null;
  /** What the data is for, as it was asked for or proposed. */
  @IsWord(TRAINING_DATA_KINDS) kind!: TrainingDataKind;
  /** Why this kind is proposed, in a sentence. Null: it was asked for. */
  @IsOptional() @IsText() reason!: string | null;
  /** Hex SHA-256 over the paths and hashes of the files: equal data, equal digest. */
  @IsText() digest!: string;
  /** Name of a split -> what `training_data_url` takes for it alone. Null: a dry run stores nothing. */
  @IsOptional() @fromRule(mapRule(textRule())) splits!: Record<string, string> | null;
  /** What became of the calls. */
  @Nested(() => TrainingDataCountsDto) counts!: TrainingDataCountsDto;
  /** Calls that were left out, by reason. */
  @NestedList(() => SkippedCallsDto) skipped!: SkippedCallsDto[];
  /** Which weights answered. Null: another kind than `rl`, or no call is in the data. */
  @IsOptional() @Nested(() => TrainingDataPolicyDto) policy!: TrainingDataPolicyDto | null;
  /** How much of the traffic it could take over. Null: another kind than `distill`, or no request in the last 24 hours. */
  @IsOptional() @Nested(() => TrainingDataCoverageDto) coverage!: TrainingDataCoverageDto | null;
  /** The first lines, at most 3. */
  @NestedList(() => TrainingDataPreviewDto) preview!: TrainingDataPreviewDto[];
  /**
   * What a job would make of the split `train`, or else of the first one, with the default settings. Null: another kind than `rl` without
   * `model_id`, a file of more than 64 MiB, or no call is in the data.
   */
  @IsOptional() @Nested(() => DiagnosisDto) diagnosis!: DiagnosisDto | null;
}

/** Query of `GET /v1/preview/training-data`. */
@AcceptsUnknownFields()
export class TrainingDataQueryDto extends PageQueryDto {
  /** Id of a call that the data holds. Absent: any. */
  @MayOmit() @IsQueryText() contains_call?: string;
  /** Only data of this entity. Absent: of all that the caller may read. */
  @MayOmit() @IsQueryText() entity?: string;
  /** Only data of projects of this name. Absent: of all. */
  @MayOmit() @IsQueryText() project?: string;
}

/** Training data that was made of calls: a version of an artifact. */
export class TrainingDataVersionDto extends ArtifactVersionDto {
  /** Entity of the project. */
  @IsText() entity!: string;
  /** Project of the calls and of the data. */
  @IsText() project!: string;
  /** Calls in the data. */
  @IsInteger({ min: 0 }) calls!: number;
}

/** A page of training data in the order in which it was made. */
export class TrainingDataPageDto extends PageDto {
  /** At most `limit` versions that are not deleted. */
  @NestedList(() => TrainingDataVersionDto) data!: TrainingDataVersionDto[];
}

/** Query of `GET /v1/preview/checkpoints/{checkpoint_id}/lineage`. */
@AcceptsUnknownFields()
export class LineageQueryDto {
  /** Most calls of the page, 1 to 100. Absent: 20. */
  @MayOmit() @IsQueryInteger(1, 100, 20) limit?: number;
  /** Id of the last call of the page before, as `last_id` has it. Absent or empty: from the start. */
  @MayOmit() @IsQueryText() after?: string;
}

/** Data that a job read, which was made of calls. */
export class LineageDataDto {
  /** Id of the version, a UUID. */
  @IsUuid() id!: string;
  /** The version: `<scheme>-artifact:///<entity>/<project>/<name>:v<N>`. */
  @IsText() url!: string;
  /** Hex SHA-256 over the paths and hashes of its files. */
  @IsText() digest!: string;
  /** Calls in the data. */
  @IsInteger({ min: 0 }) calls!: number;
  /** When the version was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** When the version was deleted, ISO 8601 in UTC. Null: it is not. */
  @IsOptional() @IsDateTime() deleted_at!: string | null;
}

/** One checkpoint on the way from the base model. */
export class LineageStepDto {
  /** Id of the checkpoint, a UUID. */
  @IsUuid() checkpoint_id!: string;
  /** Step of the checkpoint. */
  @IsInteger({ min: 1 }) step!: number;
  /** Id of the job that made it. Null: it was imported. */
  @IsOptional() @IsUuid() job_id!: string | null;
  /** Data that the job read. Null: none that was made of calls, or the caller may not read its project. */
  @IsOptional() @Nested(() => LineageDataDto) data!: LineageDataDto | null;
}

/** A judgement on a call. */
export class LineageFeedbackDto {
  /** Id of the feedback. */
  @IsText() id!: string;
  /** Its type. */
  @IsText() feedback_type!: string;
  /** Id of the user whose key stored it. */
  @IsText() svc_user_id!: string;
  /** Who judged, as the client named them. Null: nobody was named. */
  @IsOptional() @IsText() creator!: string | null;
  /** When it was stored, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
}

/** A call that a checkpoint learned from. */
export class LineageCallDto {
  /** Id of the call. */
  @IsCallId() id!: string;
  /** Split of the data that the call is in. */
  @IsText() split!: string;
  /** Whether the call is deleted by now. */
  @IsFlag() deleted!: boolean;
  /** Feedback on the call as it is now, oldest first, at most 20. */
  @NestedList(() => LineageFeedbackDto) feedback!: LineageFeedbackDto[];
}

/** A page of calls that a checkpoint learned from, by their ids. */
export class LineageCallPageDto extends PageDto {
  /** At most `limit` calls. */
  @NestedList(() => LineageCallDto) data!: LineageCallDto[];
}

/** Answer of `GET /v1/preview/checkpoints/{checkpoint_id}/lineage`. */
export class LineageDto {
  /** Id of the model, a UUID. */
  @IsUuid() model_id!: string;
  /** The checkpoint itself, the one that it was trained from, and so on to the first after the base; at most 1,000. */
  @NestedList(() => LineageStepDto) steps!: LineageStepDto[];
  /** Calls of the data of the first of the steps. */
  @Nested(() => LineageCallPageDto) calls!: LineageCallPageDto;
}
