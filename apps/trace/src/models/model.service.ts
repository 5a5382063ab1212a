import { Injectable } from '@nestjs/common';
import {
  type JsonValue,
  type ModelCreateDto,
  type ModelCreateResultDto,
  RESERVED_MODEL_KEYS,
  valueIssue,
} from '@hone/contracts';
import type { Principal } from '@hone/auth';
import { ValidationError } from '@hone/platform';

import { internalRefIssues } from '../objects/internal-refs.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { MODEL, toModelVal } from './model.mapper.js';

@Injectable()
export class ModelService {
  constructor(private readonly typedObjects: TypedObjectService) {}

  /**
   * Stores a version of a model, its source code as a file.
   *
   * @throws ValidationError the name gives no object id, or an attribute has a reserved key
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(author: Principal, projectId: string, body: ModelCreateDto): Promise<ModelCreateResultDto> {
    assertFreeKeys(body.attributes ?? {});
    const draft = { name: body.name, val: toModelVal(body), sourceCode: body.source_code };
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
