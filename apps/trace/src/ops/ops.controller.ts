import { AccessDeniedError, CurrentPrincipal, type Principal } from '@hone/auth';
import { OpCreateResultDto, OpVersionDto } from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  BodyContent,
  EntityPipe,
  Feature,
  IdempotentByKey,
  NamePipe,
  ReadsBody,
} from '@hone/platform';
import { Controller, Param, Post } from '@nestjs/common';

import { TypeCollisionError } from '../objects/object.errors.js';
import type { SentVersion } from '../typed-objects/sent-version.js';
import { TypedObjectService } from '../typed-objects/typed-object.service.js';
import { TypedObjectsController } from '../typed-objects/typed-objects.controller.js';
import { OP } from './op.mapper.js';
import { OpService } from './op.service.js';
import { READ, TASK } from './op-body.task.js';

@ApiBasicAuth('basic')
@Feature('ops', 'Versioned source code of functions whose calls are traced.')
@Controller('v2/:entity/:project/ops')
export class OpsController extends TypedObjectsController({ kind: OP, task: READ }, OpVersionDto, {
  one: 'an op',
  many: 'ops',
  operations: { list: 'listOps', get: 'getOp', delete: 'deleteOp' },
}) {
  constructor(
    private readonly ops: OpService,
    typedObjects: TypedObjectService,
  ) {
    super(typedObjects);
  }

  @Post()
  @ReadsBody(TASK)
  @IdempotentByKey('path')
  @Answers(OpCreateResultDto, 'createOp', 'Store a version of an op', AccessDeniedError, TypeCollisionError)
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @BodyContent() sent: SentVersion,
  ): Promise<OpCreateResultDto> {
    return this.ops.create(author, `${entity}/${project}`, sent);
  }
}
