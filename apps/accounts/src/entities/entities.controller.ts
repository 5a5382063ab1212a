import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { EntityCreateDto, EntityDto, EntityListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey } from '@hone/platform';
import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';

import { EntityNameTakenError } from './entities.errors.js';
import { EntitiesService } from './entities.service.js';

@Feature('entities', 'Teams and users that own projects.')
@Controller('account/entities')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class EntitiesController {
  constructor(private readonly entities: EntitiesService) {}

  @Post()
  @IdempotentByKey()
  @Answers(EntityDto, 'createEntity', 'Create a team that the caller owns', AccessDeniedError, EntityNameTakenError)
  create(@CurrentPrincipal() caller: Principal, @Body() body: EntityCreateDto): Promise<EntityDto> {
    return this.entities.create(caller, body);
  }

  @Get()
  @Answers(
    EntityListDto,
    'listEntities',
    'List the entities that the caller is a member of; an admin gets all',
    AccessDeniedError,
  )
  list(@CurrentPrincipal() caller: Principal): Promise<EntityListDto> {
    return this.entities.list(caller);
  }
}
