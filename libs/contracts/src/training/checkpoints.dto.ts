import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, NestedList } from '../validation/rule.js';
import { integerRule, IsFlag, IsInteger, IsText, listRule, mapRule, numberRule } from '../validation/rules.js';

import { PageDto } from './page.dto.js';

const MAX_STEPS = 10_000;

/** Weights at a step. */
export class CheckpointDto {
  @IsUuid() id!: string;
  /** 1 or more: step 0 is the base, which is no checkpoint. */
  @IsInteger({ min: 1 }) step!: number;
  /** Name -> finite number: of the training, and means of what was logged at this step. */
  @fromRule(mapRule(numberRule())) metrics!: Record<string, number>;
}

/** A page of checkpoints by step. */
export class CheckpointPageDto extends PageDto {
  @NestedList(() => CheckpointDto) data!: CheckpointDto[];
}

/** Body of `DELETE /v1/preview/models/{model_id}/checkpoints`. */
@AcceptsUnknownFields()
@Example({ steps: [2, 9] })
export class CheckpointsDeleteDto {
  /** May be empty. */
  @fromRule(listRule(integerRule(), { max: MAX_STEPS })) steps!: number[];
}

export class CheckpointsDeletedDto {
  /** Checkpoints that are gone now and were there before. */
  @IsInteger({ min: 0 }) deleted_count!: number;
  /** Steps without a checkpoint, each once, in the order in which they were first sent. */
  @fromRule(listRule(integerRule())) not_found_steps!: number[];
}

/** A file of a checkpoint or an artifact. */
export class StoredFileDto {
  /** Relative, `/` between segments. */
  @IsText() path!: string;
  @IsInteger({ min: 0 }) bytes!: number;
  /** Hex. */
  @IsText() sha256!: string;
}

/** Answer of `GET /v1/preview/models/{model_id}/checkpoints/{step}`. */
export class CheckpointDetailDto extends CheckpointDto {
  @IsDateTime() created_at!: string;
  /** The job that made it. */
  @IsUuid() job_id!: string;
  /** What it was trained from; 0: the base. */
  @IsInteger({ min: 0 }) parent_step!: number;
  /** Of all files. */
  @IsInteger({ min: 0 }) bytes!: number;
  /** A gateway or a job reads its bytes now. */
  @IsFlag() pinned!: boolean;
  /** Each is at `…/files/{path}`. */
  @NestedList(() => StoredFileDto) files!: StoredFileDto[];
}
