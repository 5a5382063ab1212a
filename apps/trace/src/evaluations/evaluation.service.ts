import { Injectable } from '@nestjs/common';
import type { EvaluationCreateDto, EvaluationCreateResultDto } from '@hone/contracts';
import type { Principal } from '@hone/auth';
import { RefScheme } from '@hone/platform';

import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { EVALUATION, toEvaluationVal } from './evaluation.mapper.js';

@Injectable()
export class EvaluationService {
  constructor(
    private readonly typedObjects: TypedObjectService,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * Stores a version of an evaluation.
   *
   * @throws ValidationError the name gives no object id, or an attribute is an internal ref
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(author: Principal, projectId: string, body: EvaluationCreateDto): Promise<EvaluationCreateResultDto> {
    const draft = { name: body.name, val: toEvaluationVal(body, this.refScheme.name) };
    const { version, ref } = await this.typedObjects.create(EVALUATION, author, projectId, draft);
    return { ...version, evaluation_ref: ref };
  }
}
