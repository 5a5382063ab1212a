import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsText } from '../validation/rules.js';

/** A training job that has read the data. */
export class CallUseJobDto {
  /** Id of the job, a UUID. */
  @IsUuid() id!: string;
  /** `sft` or `rl`. */
  @IsText() kind!: string;
  /** State of the job, for example `succeeded`. */
  @IsText() status!: string;
  /** Id of the trained model, a UUID. */
  @IsUuid() model_id!: string;
  /** Id of the checkpoint that the job has made, a UUID. Null: none yet. */
  @IsOptional() @IsUuid() checkpoint_id!: string | null;
  /** Step of this checkpoint. Null: none yet. */
  @IsOptional() @IsInteger({ min: 0 }) step!: number | null;
}

/** Training data that holds the call. */
export class CallUseDto {
  /** Id of the version, a UUID. */
  @IsUuid() id!: string;
  /** The version: `<scheme>-artifact:///<entity>/<project>/<name>:v<N>`. */
  @IsText() url!: string;
  /** Hex SHA-256 over the paths and hashes of its files. */
  @IsText() digest!: string;
  /** Split that the call is in. */
  @IsText() split!: string;
  /** When the version was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** Jobs that have read it, oldest first, of the projects that the caller may read. */
  @NestedList(() => CallUseJobDto) jobs!: CallUseJobDto[];
}

/** Answer of `GET /calls/{call_id}/used-in`. */
export class CallUsesDto {
  /** Data that holds the call and is not deleted, newest first, at most 100. */
  @NestedList(() => CallUseDto) used_in!: CallUseDto[];
  /** Whether there is more of it. */
  @IsFlag() has_more!: boolean;
}
