import { IsOptional } from 'class-validator';

import { typedNameRule } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule } from '../validation/rule.js';
import { IsText, listRule } from '../validation/rules.js';
import { MAX_ROWS, rowRule } from './table-rules.js';
import { TypedObjectCreatedDto, TypedObjectVersionDto } from './typed-objects.dto.js';

/** Body of `POST /v2/{entity}/{project}/datasets`. */
@Example({
  name: 'questions',
  description: 'Sums of one digit.',
  rows: [
    { q: '2+2', a: '4' },
    { q: '3+3', a: '6' },
  ],
})
export class DatasetCreateDto {
  /**
   * Name of the dataset, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. Absent or
   * null: `dataset`.
   */
  @IsOptional() @fromRule(typedNameRule) name?: string | null;
  /** What the dataset holds. Absent or null: none. */
  @IsOptional() @IsText() description?: string | null;
  /** Rows in their order, at most 1,000,000: JSON objects, kept with the text of their numbers. They are stored as a table. */
  @fromRule(listRule(rowRule, { max: MAX_ROWS })) rows!: Record<string, unknown>[];
}

/** Answer of `POST /v2/{entity}/{project}/datasets`. */
export class DatasetCreateResultDto extends TypedObjectCreatedDto {
  /** Ref of the version. */
  @IsText() dataset_ref!: string;
}

/** Answer of `GET /v2/{entity}/{project}/datasets/{object_id}/versions/{digest}`. */
@Example({
  object_id: 'questions',
  digest: '5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  version_index: 0,
  created_at: '2026-01-15T10:00:05.000Z',
  name: 'questions',
  description: 'Sums of one digit.',
  rows: 'hone:///acme/demo/table/fc6a23ec9ef074d6b400e62c4e28cdc8ecc81b7119383cfc02e605e83d23a334',
})
export class DatasetVersionDto extends TypedObjectVersionDto {
  /** Ref of the table with the rows, for `/table/query`. Null: the stored value names no table. */
  @IsOptional() @IsText() rows!: string | null;
}
