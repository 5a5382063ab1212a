import type { Principal } from '@hone/auth';
import type { EvaluationCreateResultDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { SentVersion } from '../typed-objects/sent-version.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';

@Injectable()
export class EvaluationService {
  constructor(private readonly typedObjects: TypedObjectService) {}

  /** Stores a version of an evaluation. @throws AccessDeniedError, TypeCollisionError */
  async create(author: Principal, projectId: string, sent: SentVersion): Promise<EvaluationCreateResultDto> {
    const { version, ref } = await this.typedObjects.create(author, projectId, sent);
    return { ...version, evaluation_ref: ref };
  }
}
