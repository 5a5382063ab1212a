import { IsOptional } from 'class-validator';

import { typedNameRule } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule } from '../validation/rule.js';
import { IsText } from '../validation/rules.js';
import { TypedObjectCreatedDto, TypedObjectVersionDto } from './typed-objects.dto.js';

/** Body of `POST /v2/{entity}/{project}/ops`. */
@Example({ name: 'predict', source_code: 'def predict(q):\n    return str(eval(q))\n' })
export class OpCreateDto {
  /**
   * Name of the op, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. Absent or
   * null: `op`.
   */
  @IsOptional() @fromRule(typedNameRule) name?: string | null;
  /** Source code of the function: text of the file `obj.py`. Absent or null: empty. */
  @IsOptional() @IsText() source_code?: string | null;
}

/** Answer of `POST /v2/{entity}/{project}/ops`. */
export class OpCreateResultDto extends TypedObjectCreatedDto {
  /** Ref of the version. */
  @IsText() op_ref!: string;
}

/** Answer of `GET /v2/{entity}/{project}/ops/{object_id}/versions/{digest}`. */
@Example({
  object_id: 'predict',
  digest: '5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  version_index: 0,
  created_at: '2026-01-15T10:00:05.000Z',
  name: 'predict',
  description: null,
  code: 'def predict(q):\n    return str(eval(q))\n',
})
export class OpVersionDto extends TypedObjectVersionDto {
  /** Text of the file `obj.py`; empty when there is none. */
  @IsText() code!: string;
}
