import { IsOptional } from 'class-validator';

import { typedNameRule } from '../names/names.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, RequiredUnless } from '../validation/rule.js';
import { IsJsonValue, IsText } from '../validation/rules.js';
import { ScorerDefinitionDto } from './scorer-definition.dto.js';
import { TypedObjectCreatedDto, TypedObjectVersionDto } from './typed-objects.dto.js';

/** Body of `POST /v2/{entity}/{project}/scorers`. */
@Example({
  name: 'exact match',
  description: '1 where the answer is the expected one.',
  op_source_code: 'def score(output, a):\n    return int(output == a)\n',
})
@Constrained({
  schema: {
    if: { properties: { definition: { type: 'object' } }, required: ['definition'] },
    else: { required: ['op_source_code'], properties: { op_source_code: {} } },
  },
})
export class ScorerCreateDto {
  /** Name of the scorer, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. */
  @fromRule(typedNameRule) name!: string;
  /** What the scorer judges. Absent or null: none. */
  @IsOptional() @IsText() description?: string | null;
  /** Source code of the function that scores: text of the file `obj.py`. Absent: `definition` says what it does. */
  @RequiredUnless('definition') @IsText() op_source_code?: string;
  /** What Hone does to judge a call with it. Absent or null: its source code does, where the client runs it. */
  @IsOptional() @Nested(() => ScorerDefinitionDto) definition?: ScorerDefinitionDto | null;
}

/** Answer of `POST /v2/{entity}/{project}/scorers`. */
export class ScorerCreateResultDto extends TypedObjectCreatedDto {
  /** Ref of the version. */
  @IsText() scorer!: string;
}

/** Answer of `GET /v2/{entity}/{project}/scorers/{object_id}/versions/{digest}`. */
@Example({
  object_id: 'exact_match',
  digest: '5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  version_index: 0,
  created_at: '2026-01-15T10:00:05.000Z',
  name: 'exact match',
  description: '1 where the answer is the expected one.',
  op_source_code: 'def score(output, a):\n    return int(output == a)\n',
  score_op: null,
  definition: null,
})
export class ScorerVersionDto extends TypedObjectVersionDto {
  /** Text of the file `obj.py`; empty when there is none. */
  @IsText() op_source_code!: string;
  /** Ref of the op that scores, which SDKs store. Null: the source code is all there is. */
  @IsOptional() @IsText() score_op!: string | null;
  /** What Hone does to judge a call with it, of the form of `definition` of its creation. Null: source code does. */
  @IsJsonValue({ type: ['object', 'null'] }) definition!: Record<string, unknown> | null;
}
