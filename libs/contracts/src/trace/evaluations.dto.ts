import { IsOptional } from 'class-validator';

import { IsObjectId } from '../names/names.js';
import { IsRef, refRule } from '../names/refs.js';
import { Example } from '../schema/example.js';
import { fromRule } from '../validation/rule.js';
import { IsInteger, IsJsonObject, IsText, listRule } from '../validation/rules.js';

/** Body of `POST /v2/{entity}/{project}/evaluations`. */
@Example({
  name: 'smoke',
  dataset: 'hone:///acme/demo/object/questions:v0',
  scorers: ['hone:///acme/demo/op/exact_match:v0'],
  trials: 1,
})
export class EvaluationCreateDto {
  /** The object's id is the name in lower case, blanks and `/` as `_`. */
  @IsText({ min: 1, max: 128 }) name!: string;
  @IsOptional() @IsText() description?: string | null;
  /** Ref of a dataset. */
  @IsRef('object') dataset!: string;
  @IsOptional() @fromRule(listRule(refRule('object', 'op'), { max: 1_000 })) scorers?: string[] | null;
  /** How often each row is predicted, default 1. */
  @IsOptional() @IsInteger({ min: 1, max: 2_147_483_647 }) trials?: number | null;
  @IsOptional() @IsText() evaluation_name?: string | null;
  @IsOptional() @IsJsonObject() eval_attributes?: Record<string, unknown> | null;
}

export class EvaluationCreateResultDto {
  @IsText() digest!: string;
  @IsObjectId() object_id!: string;
  @IsInteger({ min: 0 }) version_index!: number;
  /** Ref of the version. */
  @IsText() evaluation_ref!: string;
}

/** Answer of `DELETE /v2/{entity}/{project}/evaluations/{object_id}`. */
export class EvaluationDeleteResultDto {
  /** Versions deleted now. */
  @IsInteger({ min: 0 }) num_deleted!: number;
}
