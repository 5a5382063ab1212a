import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, Nested, NestedList } from '../validation/rule.js';
import {
  integerRule,
  IsFlag,
  IsInteger,
  IsNumber,
  IsText,
  IsTextList,
  IsWord,
  listRule,
  mapRule,
  numberRule,
} from '../validation/rules.js';
import { IsGradientClip } from './gradient-clip.js';
import { PageDto } from './page.dto.js';

const MAX_STEPS = 10_000;

export const CHECKPOINT_KINDS = ['rl', 'sft', 'preference', 'import'] as const;
/** What made a checkpoint. */
export type CheckpointKind = (typeof CHECKPOINT_KINDS)[number];

/** Weights of a model at a step. */
export class CheckpointDto {
  /** Id of the checkpoint, a UUID. */
  @IsUuid() id!: string;
  /** Number of the checkpoint, 1 or more: step 0 is the base model, which is no checkpoint. */
  @IsInteger({ min: 1 }) step!: number;
  /** Name -> finite number: metrics of the training, and means of what was logged at this step. */
  @fromRule(mapRule(numberRule())) metrics!: Record<string, number>;
}

/** A page of checkpoints by step. */
export class CheckpointPageDto extends PageDto {
  /** At most `limit` checkpoints, by step. */
  @NestedList(() => CheckpointDto) data!: CheckpointDto[];
}

/** Body of `DELETE /v1/preview/models/{model_id}/checkpoints`. */
@AcceptsUnknownFields()
@Example({ steps: [2, 9] })
export class CheckpointsDeleteDto {
  /** Steps of the checkpoints to delete, 0 to 10,000 of them. */
  @fromRule(listRule(integerRule(), { max: MAX_STEPS })) steps!: number[];
}

/** Answer of `DELETE /v1/preview/models/{model_id}/checkpoints`. */
export class CheckpointsDeletedDto {
  /** Checkpoints that this request deleted. */
  @IsInteger({ min: 0 }) deleted_count!: number;
  /** Steps without a checkpoint, each once, in the order in which they were first sent. */
  @fromRule(listRule(integerRule())) not_found_steps!: number[];
}

/** A file of a checkpoint or an artifact. */
export class StoredFileDto {
  /** Path of the file, relative, with `/` between segments. */
  @IsText() path!: string;
  /** Bytes of the file. */
  @IsInteger({ min: 0 }) bytes!: number;
  /** SHA-256 of the file, in hex. */
  @IsText() sha256!: string;
}

/** How a training server made a checkpoint. Its weights and optimiser state stay there, for the next job. */
export class CheckpointEngineDto {
  /** Name of the engine in the engines file. */
  @IsText() name!: string;
  /** Protocol of the engine. */
  @IsWord(['tinker']) kind!: 'tinker';
  /** Name of the base model at the server. */
  @IsText() server_model!: string;
  /** Where the server keeps weights and optimiser state, `tinker://<model>/weights/<name>`. */
  @IsText() weights!: string;
  /** Rank of the adapter. */
  @IsInteger({ min: 1 }) rank!: number;
  /** Scale of the adapter, which the server chose: its product is multiplied by `alpha / rank`. */
  @IsNumber({ above: 0 }) alpha!: number;
  /** How the server made one gradient of many sequences. */
  @IsWord(['sequence_mean', 'sum']) reduction!: 'sequence_mean' | 'sum';
  /** Length to which the server shortened gradients by itself; `none`: it did not. */
  @IsGradientClip() clip!: 'none' | number;
}

/** Answer of `GET /v1/preview/models/{model_id}/checkpoints/{step}`. */
export class CheckpointDetailDto extends CheckpointDto {
  /** When the checkpoint was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** Id of the job that made the checkpoint. Null: it was imported. */
  @IsOptional() @IsUuid() job_id!: string | null;
  /** What made the checkpoint: a job of this kind, or an `import`. */
  @IsWord(CHECKPOINT_KINDS) kind!: CheckpointKind;
  /** Step of the checkpoint that it was trained from; 0: the base model, or it was imported. */
  @IsInteger({ min: 0 }) parent_step!: number;
  /** Bytes of all files together. */
  @IsInteger({ min: 0 }) bytes!: number;
  /** Whether a gateway or a job reads its bytes now, so that they are kept. */
  @IsFlag() pinned!: boolean;
  /** The training server that made it, and how. Null: the embedded engine trained it, or it was imported. */
  @IsOptional() @Nested(() => CheckpointEngineDto) engine!: CheckpointEngineDto | null;
  /** The files; each is at `…/files/{path}`. */
  @NestedList(() => StoredFileDto) files!: StoredFileDto[];
}

/** Answer of `POST /v1/preview/models/{model_id}/checkpoints/import`: the new checkpoint, and what it was made of. */
export class ImportedCheckpointDto extends CheckpointDetailDto {
  /** Base model that the adapter's own configuration names, which is not compared with this model's. Null: none. */
  @IsOptional() @IsText() named_base_model!: string | null;
  /** Rank of the adapter, `r` in its configuration. */
  @IsInteger({ min: 1 }) rank!: number;
  /**
   * Scale of the adapter, `lora_alpha` in its configuration: its product is multiplied by `alpha / rank`, with
   * `use_rslora` by `alpha / sqrt(rank)`.
   */
  @IsNumber({ above: 0 }) alpha!: number;
  /** Whether its scaling is rank-stabilised. */
  @IsFlag() use_rslora!: boolean;
  /**
   * Ranks of modules that differ from `rank`, by ends of their names. Of regular expressions in the file they are the whole
   * names of the modules that these match.
   */
  @fromRule(mapRule(integerRule({ min: 1 }))) rank_pattern!: Record<string, number>;
  /** Alphas of modules that differ from `alpha`, likewise. */
  @fromRule(mapRule(numberRule({ above: 0 }))) alpha_pattern!: Record<string, number>;
  /** Projections that the adapter changes, the same ones in every layer. */
  @IsTextList() target_modules!: string[];
  /** Files of the archive that are not part of an adapter, at most 100 of them; they are not stored. */
  @IsTextList() ignored_files!: string[];
}
