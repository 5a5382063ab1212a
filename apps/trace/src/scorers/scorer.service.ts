import type { Principal } from '@hone/auth';
import type { ScorerCreateResultDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { SentVersion } from '../typed-objects/sent-version.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';

@Injectable()
export class ScorerService {
  constructor(private readonly typedObjects: TypedObjectService) {}

  /** Stores a version of a scorer, its source code as a file. @throws AccessDeniedError, TypeCollisionError */
  async create(author: Principal, projectId: string, sent: SentVersion): Promise<ScorerCreateResultDto> {
    const { version, ref } = await this.typedObjects.create(author, projectId, sent);
    return { ...version, scorer: ref };
  }
}
