import type { Principal } from '@hone/auth';
import type { OpCreateResultDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { SentVersion } from '../typed-objects/sent-version.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';

@Injectable()
export class OpService {
  constructor(private readonly typedObjects: TypedObjectService) {}

  /** Stores a version of an op, its source code as a file. @throws AccessDeniedError, TypeCollisionError */
  async create(author: Principal, projectId: string, sent: SentVersion): Promise<OpCreateResultDto> {
    const { version, ref } = await this.typedObjects.create(author, projectId, sent);
    return { ...version, op_ref: ref };
  }
}
