import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsObjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { IsInteger, IsJsonObject, IsText } from '../validation/rules.js';

/** Body of `POST /v2/{entity}/{project}/models`. */
@Example({ name: 'Greeter', source_code: 'class Model:\n    pass\n', attributes: { temperature: 0.2 } })
export class ModelCreateDto {
  /** The object's id is the name in lower case, blanks and `/` as `_`. */
  @IsText({ min: 1, max: 128 }) name!: string;
  @IsText() source_code!: string;
  @IsOptional() @IsText() description?: string | null;
  /** Become keys of the stored value, next to name and description. */
  @IsOptional() @IsJsonObject() attributes?: Record<string, unknown> | null;
}

export class ModelCreateResultDto {
  @IsText() digest!: string;
  @IsObjectId() object_id!: string;
  @IsInteger({ min: 0 }) version_index!: number;
  /** Ref of the version. */
  @IsText() model_ref!: string;
}

/** Answer of `GET /v2/{entity}/{project}/models/{object_id}/versions/{digest}`. */
@Example({
  object_id: 'greeter',
  digest: '5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  version_index: 0,
  created_at: '2026-01-15T10:00:05.000Z',
  name: 'Greeter',
  source_code: 'class Model:\n    pass\n',
  description: null,
  attributes: { temperature: 0.2 },
})
export class ModelVersionDto {
  @IsObjectId() object_id!: string;
  /** Content digest, whatever selector was asked for. */
  @IsText() digest!: string;
  @IsInteger({ min: 0 }) version_index!: number;
  @IsDateTime() created_at!: string;
  @IsText() name!: string;
  /** Text of the file `obj.py`; empty when there is none. */
  @IsText() source_code!: string;
  @IsOptional() @IsText() description!: string | null;
  /** All further keys of the stored value. */
  @IsJsonObject() attributes!: Record<string, unknown>;
}
