import { Injectable } from '@nestjs/common';
import {
  type EvaluationCreateDto,
  type EvaluationCreateResultDto,
  type EvaluationDeleteResultDto,
  isObjectId,
  type JsonObject,
  parseVersionSelector,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { type Principal, ProjectAccess } from '@hone/auth';
import { RefScheme } from '@hone/platform';

import { ObjectRepository } from '../objects/object.repository.js';
import { ObjectService } from '../objects/object.service.js';
import { classKeys, objectIdOf, ownRef } from '../objects/typed-object.js';
import { EvaluationNotFoundError } from './evaluation.errors.js';

const EVALUATION_CLASS = 'Evaluation';

@Injectable()
export class EvaluationService {
  constructor(
    private readonly objectService: ObjectService,
    private readonly objects: ObjectRepository,
    private readonly access: ProjectAccess,
    private readonly database: Database,
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
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId, 'writer');
    if (!isObjectId(objectId)) throw EvaluationNotFoundError.noVersions(objectId, projectId);
    return this.database.transaction(async () => {
      // Before the lock, which makes the head of an object that is not there.
      if (!(await this.objects.hasLive(projectRowId, objectId, EVALUATION_CLASS)))
        throw EvaluationNotFoundError.noVersions(objectId, projectId);
      await this.objects.lockHead(projectRowId, objectId);
      const digests = selectors
        ? await this.#resolve(projectRowId, projectId, objectId, selectors)
        : await this.objects.listLiveDigests(projectRowId, objectId, EVALUATION_CLASS);
      // Another caller may have deleted them in between.
      if (digests.length === 0) throw EvaluationNotFoundError.noVersions(objectId, projectId);
      await this.objects.deleteVersions(projectRowId, objectId, digests);
      return { num_deleted: digests.length };
    });
  }

  /** The digests that the selectors name, each once. */
  async #resolve(projectRowId: string, projectId: string, objectId: string, selectors: string[]): Promise<string[]> {
    const digests = new Set<string>();
    for (const selector of selectors) {
      const version = await this.objects.findVersion(projectRowId, objectId, parseVersionSelector(selector));
      if (!version || version.deletedAt || version.baseObjectClass !== EVALUATION_CLASS) {
        throw EvaluationNotFoundError.noVersion(objectId, projectId, selector);
      }
      digests.add(version.digest);
    }
    return [...digests];
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
