import type { Principal } from '@hone/auth';
import type { ModelCreateResultDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { SentVersion } from '../typed-objects/sent-version.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';

@Injectable()
export class ModelService {
  constructor(private readonly typedObjects: TypedObjectService) {}

  /** Stores a version of a model, its source code as a file. @throws AccessDeniedError, TypeCollisionError */
  async create(author: Principal, projectId: string, sent: SentVersion): Promise<ModelCreateResultDto> {
    const { version, ref } = await this.typedObjects.create(author, projectId, sent);
    return { ...version, model_ref: ref };
  }
}
