import { IsOptional } from 'class-validator';

import { issue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { typedNameRule } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule, type Rule } from '../validation/rule.js';
import { IsJsonObject, IsText } from '../validation/rules.js';
import { TypedObjectCreatedDto, TypedObjectVersionDto } from './typed-objects.dto.js';

/** Keys that the server writes itself; that they are not sent is checked where the value is made. */
export const RESERVED_MODEL_KEYS: readonly string[] = [
  '_type',
  '_class_name',
  '_bases',
  'name',
  'description',
  'files',
];
const ATTRIBUTES: Rule = {
  name: 'isAttributes',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: { type: 'object', propertyNames: { not: { enum: RESERVED_MODEL_KEYS } }, additionalProperties: true },
};

/** Body of `POST /v2/{entity}/{project}/models`. */
@Example({ name: 'Greeter', source_code: 'class Model:\n    pass\n', attributes: { temperature: 0.2 } })
export class ModelCreateDto {
  /** Name of the model, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. */
  @fromRule(typedNameRule) name!: string;
  /** Text of the file `obj.py`. */
  @IsText() source_code!: string;
  /** What the model does. Absent or null: none. */
  @IsOptional() @IsText() description?: string | null;
  /** Further keys of the stored value, next to name and description. Absent or null: none. */
  @IsOptional() @fromRule(ATTRIBUTES) attributes?: Record<string, unknown> | null;
}

/** Answer of `POST /v2/{entity}/{project}/models`. */
export class ModelCreateResultDto extends TypedObjectCreatedDto {
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
export class ModelVersionDto extends TypedObjectVersionDto {
  /** Text of the file `obj.py`; empty when there is none. */
  @IsText() source_code!: string;
  /** All further keys of the stored value. */
  @IsJsonObject() attributes!: Record<string, unknown>;
}
