import { IsOptional } from 'class-validator';

import { IsObjectId, typedNameRule } from '../names/names.js';
import { IsRef, refRule } from '../names/refs.js';
import { Example } from '../schema/example.js';
import { fromRule, MayOmit } from '../validation/rule.js';
import { IsInteger, IsJsonObject, IsText, listRule, textRule } from '../validation/rules.js';

const SELECTORS = listRule(textRule({ min: 1 }), { max: 100 });

/** Body of `POST /v2/{entity}/{project}/evaluations`. */
@Example({
  name: 'smoke',
  dataset: 'hone:///acme/demo/object/questions:v0',
  scorers: ['hone:///acme/demo/op/exact_match:v0'],
  trials: 1,
})
export class EvaluationCreateDto {
  /** Name of the evaluation, 1 to 128 characters. The object's id is the name in lower case, blanks and `/` as `_`. */
  @fromRule(typedNameRule) name!: string;
  /** What is evaluated. Absent or null: none. */
  @IsOptional() @IsText() description?: string | null;
  /** Ref of the dataset, an object. */
  @IsRef('object') dataset!: string;
  /** Refs of the scorers, objects or ops, at most 1,000. Absent or null: none. */
  @IsOptional() @fromRule(listRule(refRule('object', 'op'), { max: 1_000 })) scorers?: string[] | null;
  /** How often each row is predicted, 1 to 2,147,483,647. Absent or null: 1. */
  @IsOptional() @IsInteger({ min: 1, max: 2_147_483_647 }) trials?: number | null;
  /** Name to show for runs of the evaluation. Absent or null: none. */
  @IsOptional() @IsText() evaluation_name?: string | null;
  /** Attributes of runs of the evaluation: a JSON object, kept as sent. Absent or null: none. */
  @IsOptional() @IsJsonObject() eval_attributes?: Record<string, unknown> | null;
}

/** Answer of `POST /v2/{entity}/{project}/evaluations`. */
export class EvaluationCreateResultDto {
  /** Content digest of the version: 43 alphanumeric characters. */
  @IsText() digest!: string;
  /** Name of the object: 1 to 128 letters and digits of any script, `_`, `.` and `-`. */
  @IsObjectId() object_id!: string;
  /** Number of the version: 0, 1, 2, … in the order in which they were made. */
  @IsInteger({ min: 0 }) version_index!: number;
  /** Ref of the version. */
  @IsText() evaluation_ref!: string;
}

/** Answer of `DELETE /v2/{entity}/{project}/evaluations/{object_id}`. */
export class EvaluationDeleteResultDto {
  /** Versions that this request deleted. */
  @IsInteger({ min: 0 }) num_deleted!: number;
}

/** Query of `DELETE /v2/{entity}/{project}/evaluations/{object_id}`. Any other parameter, and any body, is a 422. */
export class EvaluationDeleteQueryDto {
  /**
   * Versions to delete: content digests, `v<N>`, `latest` or aliases, at most 100, one for each time that the parameter
   * is sent; `digests[]` is the same. Absent: all versions, which takes a request without another parameter or a body.
   */
  @MayOmit() @fromRule(SELECTORS) digests?: string[];
}
