import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, MayOmit, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsText, mapRule, numberRule } from '../validation/rules.js';

import { IsEntity } from './entity-field.js';
import { IsRefName } from './ref-name.js';
import { PageDto } from './page.dto.js';

/** Body of `POST /v1/preview/models`. */
@AcceptsUnknownFields()
@Example({ project: 'p', name: 'agent-1', base_model: 'hone-tiny', entity: null, return_existing: true })
export class TrainableModelCreateDto {
  /** Team or user that owns the project. Absent or null: the caller's default entity. */
  @IsOptional() @IsEntity() entity?: string | null;
  /** Made when it is new. */
  @IsRefName() project!: string;
  /** Unique among the live models of the project. */
  @IsRefName() name!: string;
  /** What is trained; whether there is an engine for it, the first job finds out. */
  @IsText({ min: 1, max: 512 }) base_model!: string;
  /** A live model of this name is answered as it is, whatever its base. Absent: false, then it is a 409. */
  @MayOmit() @IsFlag() return_existing?: boolean;
}

/** A model that learns. */
export class TrainableModelDto {
  @IsUuid() id!: string;
  @IsText() entity!: string;
  @IsText() project!: string;
  @IsText() name!: string;
  @IsText() base_model!: string;
  /** The record that it trains under; made with the model. */
  @IsUuid() run_id!: string;
}

/** An element of `GET /v1/preview/models`. */
export class TrainableModelItemDto extends TrainableModelDto {
  @IsDateTime() created_at!: string;
  /** Of the latest checkpoint; 0: the base. */
  @IsInteger({ min: 0 }) latest_step!: number;
  /** What chat completions call it: `<scheme>-artifact:///<entity>/<project>/<name>`. */
  @IsText() inference_name!: string;
}

/** Answer of `GET /v1/preview/models/{model_id}`. */
export class TrainableModelDetailDto extends TrainableModelItemDto {
  @IsInteger({ min: 0 }) checkpoint_count!: number;
  /** Of all checkpoints; those that share their bytes count once. */
  @IsInteger({ min: 0 }) bytes!: number;
  /** Means of what was logged before the first checkpoint: `<split>/<metric>` -> number. */
  @fromRule(mapRule(numberRule())) base_metrics!: Record<string, number>;
  /** Training jobs that have not ended. */
  @IsInteger({ min: 0 }) open_jobs!: number;
}

/** A page of models in the order in which they were made. */
export class TrainableModelPageDto extends PageDto {
  @NestedList(() => TrainableModelItemDto) data!: TrainableModelItemDto[];
}

/** Answer of `DELETE /v1/preview/models/{model_id}`. */
export class TrainableModelDeletedDto {
  @IsUuid() model_id!: string;
  @IsInteger({ min: 0 }) deleted_checkpoints!: number;
  @IsFlag() deleted_run!: boolean;
}
