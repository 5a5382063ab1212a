import { AccessDeniedError, CurrentPrincipal, type Principal } from '@hone/auth';
import { ScorerCreateResultDto, ScorerVersionDto } from '@hone/contracts';
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
import { SCORER } from './scorer.mapper.js';
import { ScorerService } from './scorer.service.js';
import { READ, TASK } from './scorer-body.task.js';

@ApiBasicAuth('basic')
@Feature('scorers', 'Versioned source code that judges what models answer.')
@Controller('v2/:entity/:project/scorers')
export class ScorersController extends TypedObjectsController({ kind: SCORER, task: READ }, ScorerVersionDto, {
  one: 'a scorer',
  many: 'scorers',
  operations: { list: 'listScorers', get: 'getScorer', delete: 'deleteScorer' },
}) {
  constructor(
    private readonly scorers: ScorerService,
    typedObjects: TypedObjectService,
  ) {
    super(typedObjects);
  }

  @Post()
  @ReadsBody(TASK)
  @IdempotentByKey('path')
  @Answers(ScorerCreateResultDto, 'createScorer', 'Store a version of a scorer', AccessDeniedError, TypeCollisionError)
  create(
    @CurrentPrincipal() author: Principal,
    @Param('entity', EntityPipe) entity: string,
    @Param('project', NamePipe) project: string,
    @BodyContent() sent: SentVersion,
  ): Promise<ScorerCreateResultDto> {
    return this.scorers.create(author, `${entity}/${project}`, sent);
  }
}
