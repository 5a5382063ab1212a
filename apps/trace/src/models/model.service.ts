import { Injectable } from '@nestjs/common';
import {
  type JsonObject,
  type JsonValue,
  type ModelCreateDto,
  type ModelCreateResultDto,
  RESERVED_MODEL_KEYS,
  valueIssue,
} from '@hone/contracts';
import type { Principal } from '@hone/auth';
import { ValidationError } from '@hone/platform';

import { internalRefIssues } from '../objects/internal-refs.js';
import { objectClassOf } from '../objects/object-class.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { MODEL, toModelVal } from './model.mapper.js';

@Injectable()
export class ModelService {
  constructor(private readonly typedObjects: TypedObjectService) {}

  /**
   * Stores a version of a model, its source code as a file.
   *
   * @throws ValidationError the name gives no object id, an attribute has a reserved key, or it would be an op
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(author: Principal, projectId: string, body: ModelCreateDto): Promise<ModelCreateResultDto> {
    assertFreeKeys(body.attributes ?? {});
    const val = toModelVal(body);
    assertNoOp(val);
    const draft = { name: body.name, val, sourceCode: body.source_code };
    const { version, ref } = await this.typedObjects.create(MODEL, author, projectId, draft);
    return { ...version, model_ref: ref };
  }
}

function assertFreeKeys(attributes: Record<string, unknown>): void {
  const issues = Object.keys(attributes).flatMap((key) =>
    RESERVED_MODEL_KEYS.includes(key)
      ? [valueIssue('This key is reserved', ['body', 'attributes', key])]
      : internalRefIssues(attributes[key] as JsonValue, ['body', 'attributes', key]),
  );
  if (issues.length) throw new ValidationError(issues);
}

/** An attribute `weave_type` can say that a value is an op, which no endpoint of models would find. */
function assertNoOp(val: JsonObject): void {
  if (objectClassOf(val).kind === 'op')
    throw new ValidationError([valueIssue('A model should not have the type of an op', ['body', 'attributes', 'weave_type'])]);
}
