import { Injectable } from '@nestjs/common';
import type { ScorerCreateDto, ScorerCreateResultDto } from '@hone/contracts';
import type { Principal } from '@hone/auth';

import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { SCORER, toScorerVal } from './scorer.mapper.js';

@Injectable()
export class ScorerService {
  constructor(private readonly typedObjects: TypedObjectService) {}

  /**
   * Stores a version of a scorer, its source code as a file.
   *
   * @throws ValidationError the name gives no object id
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(author: Principal, projectId: string, body: ScorerCreateDto): Promise<ScorerCreateResultDto> {
    const draft = { name: body.name, val: toScorerVal(body), sourceCode: body.op_source_code };
    const { version, ref } = await this.typedObjects.create(SCORER, author, projectId, draft);
    return { ...version, scorer: ref };
  }
}
