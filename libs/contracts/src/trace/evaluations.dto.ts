import { IsOptional } from 'class-validator';

import { typedNameRule } from '../names/names.js';
import { IsRef, refRule } from '../names/refs.js';
import { Example } from '../schema/example.js';
import { fromRule } from '../validation/rule.js';
import { IsInteger, IsJsonObject, IsText, IsTextList, listRule } from '../validation/rules.js';
import { TypedObjectCreatedDto, TypedObjectVersionDto } from './typed-objects.dto.js';

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
export class EvaluationCreateResultDto extends TypedObjectCreatedDto {
  /** Ref of the version. */
  @IsText() evaluation_ref!: string;
}

/** Answer of `GET /v2/{entity}/{project}/evaluations/{object_id}/versions/{digest}`. */
@Example({
  object_id: 'smoke',
  digest: '5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI',
  version_index: 0,
  created_at: '2026-01-15T10:00:05.000Z',
  name: 'smoke',
  description: null,
  dataset: 'hone:///acme/demo/object/questions:v0',
  scorers: ['hone:///acme/demo/op/exact_match:v0'],
  trials: 1,
  evaluation_name: null,
  eval_attributes: null,
  evaluate_op: null,
  predict_and_score_op: null,
  summarize_op: null,
})
export class EvaluationVersionDto extends TypedObjectVersionDto {
  /** Ref of the dataset. Null: the stored value names none. */
  @IsOptional() @IsText() dataset!: string | null;
  /** Refs of the scorers. */
  @IsTextList() scorers!: string[];
  /** How often each row is predicted. */
  @IsInteger({ min: 1 }) trials!: number;
  /** Name to show for runs of the evaluation. Null: none. */
  @IsOptional() @IsText() evaluation_name!: string | null;
  /** Attributes of runs of the evaluation. Null: none. */
  @IsOptional() @IsJsonObject() eval_attributes!: Record<string, unknown> | null;
  /** Ref of the op that runs the evaluation, which SDKs store. Null: none. */
  @IsOptional() @IsText() evaluate_op!: string | null;
  /** Ref of the op that predicts and scores one row, which SDKs store. Null: none. */
  @IsOptional() @IsText() predict_and_score_op!: string | null;
  /** Ref of the op that summarises the scores, which SDKs store. Null: none. */
  @IsOptional() @IsText() summarize_op!: string | null;
}
