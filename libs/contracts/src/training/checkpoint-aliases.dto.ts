import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsText } from '../validation/rules.js';
import { AliasSplitDto } from './alias-splits.dto.js';

/** Body of `PUT /v1/preview/models/{model_id}/aliases/{alias}`. */
@Example({ step: 0 })
export class CheckpointAliasPutDto {
  /** Step of the checkpoint that the alias shall name; 0: the base model. */
  @IsInteger({ min: 0 }) step!: number;
  /** Step that the alias must name until now, else 409 (compare-and-set). Null: it must not exist. Absent: any. */
  @IsOptional() @IsInteger({ min: 0 }) if_step?: number | null;
}

/** A name for a checkpoint of a model: `<ref of the model>:<alias>` asks for it. */
export class CheckpointAliasDto {
  /** The alias, unique within the model. */
  @IsText() alias!: string;
  /** Id of the model. */
  @IsUuid() model_id!: string;
  /** Step of the checkpoint; 0: the base model. */
  @IsInteger({ min: 0 }) step!: number;
  /** Id of the checkpoint. Null: the base model, which is none. */
  @IsOptional() @IsUuid() checkpoint_id!: string | null;
  /** Which models answer a part of the requests in its place. Null: it has no split. */
  @IsOptional() @Nested(() => AliasSplitDto) split!: AliasSplitDto | null;
  /** When it was last set to another step, ISO 8601 in UTC. */
  @IsDateTime() updated_at!: string;
  /** Id of the user who did so. */
  @IsUuid() updated_by!: string;
}

/** Answer of `GET /v1/preview/models/{model_id}/aliases`. */
export class CheckpointAliasListDto {
  /** All aliases of the model, by name. */
  @NestedList(() => CheckpointAliasDto) data!: CheckpointAliasDto[];
}
