import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, MayOmit, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsText, mapRule, numberRule } from '../validation/rules.js';
import { IsEntity } from './entity-field.js';
import { PageDto } from './page.dto.js';
import { IsRefName } from './ref-name.js';

/** Body of `POST /v1/preview/models`. */
@AcceptsUnknownFields()
@Example({ project: 'p', name: 'agent-1', base_model: 'hone-tiny', entity: null, return_existing: true })
export class TrainableModelCreateDto {
  /** Team or user that owns the project. Absent or null: the caller's default entity. */
  @IsOptional() @IsEntity() entity?: string | null;
  /**
   * Name of the project, which is made when it is new: 1 to 128 characters without `/`, `:`, control characters or
   * outer blanks, not `.` or `..`.
   */
  @IsRefName() project!: string;
  /** Name of the model, unique among the live models of the project; the same characters as in `project`. */
  @IsRefName() name!: string;
  /**
   * Model to train: one of the models folders or of a training server, 1 to 512 characters. A new model on another base
   * is a 422 that names those there are.
   */
  @IsText({ min: 1, max: 512 }) base_model!: string;
  /**
   * Whether a live model of this name is answered as it is, whatever its base. Absent: false, and the name is a 409.
   */
  @MayOmit() @IsFlag() return_existing?: boolean;
}

/** A model that learns. */
export class TrainableModelDto {
  /** Id of the model, a UUID. */
  @IsUuid() id!: string;
  /** Team or user that owns the project. */
  @IsText() entity!: string;
  /** Name of the project. */
  @IsText() project!: string;
  /** Name of the model. */
  @IsText() name!: string;
  /** Model that is trained. */
  @IsText() base_model!: string;
  /** Id of the run that the model trains under, a UUID. */
  @IsUuid() run_id!: string;
}

/** An element of `GET /v1/preview/models`. */
export class TrainableModelItemDto extends TrainableModelDto {
  /** When the model was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** Step of the latest checkpoint; 0: the base model. */
  @IsInteger({ min: 0 }) latest_step!: number;
  /** Name for chat completions: `<scheme>-artifact:///<entity>/<project>/<name>`. */
  @IsText() inference_name!: string;
}

/** Answer of `GET /v1/preview/models/{model_id}`. */
export class TrainableModelDetailDto extends TrainableModelItemDto {
  /** Checkpoints of the model. */
  @IsInteger({ min: 0 }) checkpoint_count!: number;
  /** Bytes of all checkpoints; those that share their bytes count once. */
  @IsInteger({ min: 0 }) bytes!: number;
  /** Means of what was logged before the first checkpoint: `<split>/<metric>` -> number. */
  @fromRule(mapRule(numberRule())) base_metrics!: Record<string, number>;
  /** Training jobs that have not ended. */
  @IsInteger({ min: 0 }) open_jobs!: number;
}

/** A page of models in the order in which they were made. */
export class TrainableModelPageDto extends PageDto {
  /** At most `limit` models, in the order in which they were made. */
  @NestedList(() => TrainableModelItemDto) data!: TrainableModelItemDto[];
}

/** Answer of `DELETE /v1/preview/models/{model_id}`. */
export class TrainableModelDeletedDto {
  /** Id of the deleted model, a UUID. */
  @IsUuid() model_id!: string;
  /** Checkpoints that were deleted with the model. */
  @IsInteger({ min: 0 }) deleted_checkpoints!: number;
  /** Whether the run of the model was deleted with it. */
  @IsFlag() deleted_run!: boolean;
}
