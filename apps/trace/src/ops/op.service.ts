import { Injectable } from '@nestjs/common';
import type { OpCreateDto, OpCreateResultDto } from '@hone/contracts';
import type { Principal } from '@hone/auth';

import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { OP, OP_VAL } from './op.mapper.js';

@Injectable()
export class OpService {
  constructor(private readonly typedObjects: TypedObjectService) {}

  /**
   * Stores a version of an op, its source code as a file.
   *
   * @throws ValidationError the name gives no object id
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(author: Principal, projectId: string, body: OpCreateDto): Promise<OpCreateResultDto> {
    const draft = { name: body.name, val: OP_VAL, sourceCode: body.source_code ?? '' };
    const { version, ref } = await this.typedObjects.create(OP, author, projectId, draft);
    return { ...version, op_ref: ref };
  }
}
