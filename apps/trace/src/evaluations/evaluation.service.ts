import { Injectable } from '@nestjs/common';
import {
  type EvaluationCreateDto,
  type EvaluationCreateResultDto,
  type EvaluationDeleteResultDto,
  type JsonObject,
} from '@hone/contracts';
import type { Principal } from '@hone/auth';
import { RefScheme } from '@hone/platform';

import { ObjectDeletionService } from '../objects/object-deletion.service.js';
import { ObjectService } from '../objects/object.service.js';
import { classKeys, objectIdOf, ownRef } from '../objects/typed-object.js';
import { EvaluationNotFoundError } from './evaluation.errors.js';

const EVALUATION_CLASS = 'Evaluation';

@Injectable()
export class EvaluationService {
  constructor(
    private readonly objectService: ObjectService,
    private readonly deletion: ObjectDeletionService,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * Stores a version of an evaluation.
   *
   * @throws ValidationError the name gives no object id
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(author: Principal, projectId: string, body: EvaluationCreateDto): Promise<EvaluationCreateResultDto> {
    const objectId = objectIdOf(body.name, 'evaluation');
    const { version, ref } = await this.objectService.createTyped(author, projectId, objectId, this.#toVal(body));
    return { ...version, evaluation_ref: ref };
  }

  /**
   * Deletes all live versions, or those that the selectors name: all of them, or none when one names nothing.
   *
   * @param selectors undefined: all versions
   * @throws AccessDeniedError, ProjectNotFoundError, EvaluationNotFoundError
   */
  async delete(
    caller: Principal,
    projectId: string,
    objectId: string,
    selectors?: string[],
  ): Promise<EvaluationDeleteResultDto> {
    const deleted = await this.deletion.delete(caller, projectId, objectId, selectors, {
      baseObjectClass: EVALUATION_CLASS,
      noVersions: () => EvaluationNotFoundError.noVersions(objectId, projectId),
      noVersion: (selector) => EvaluationNotFoundError.noVersion(objectId, projectId, selector),
    });
    return { num_deleted: deleted.length };
  }

  #toVal(body: EvaluationCreateDto): JsonObject {
    const { name: scheme } = this.refScheme;
    return {
      ...classKeys(EVALUATION_CLASS),
      name: body.name,
      description: body.description ?? null,
      dataset: ownRef(body.dataset, scheme),
      scorers: (body.scorers ?? []).map((ref) => ownRef(ref, scheme)),
      trials: body.trials ?? 1,
      evaluation_name: body.evaluation_name ?? null,
      eval_attributes: (body.eval_attributes as JsonObject | null | undefined) ?? null,
    };
  }
}
