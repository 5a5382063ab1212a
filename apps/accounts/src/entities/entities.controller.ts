import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { EntityCreateDto, EntityDto, EntityListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, IdempotentByKey } from '@hone/platform';

import { EntitiesService } from './entities.service.js';

@Controller('account/entities')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class EntitiesController {
  constructor(private readonly entities: EntitiesService) {}

  @Post()
  @IdempotentByKey()
  @Answers(EntityDto, 'Makes a team that the caller owns.', 403, 409, 422)
  create(@CurrentPrincipal() caller: Principal, @Body() body: EntityCreateDto): Promise<EntityDto> {
    return this.entities.create(caller, body);
  }

  @Get()
  @Answers(EntityListDto, 'Entities that the caller is a member of; an admin gets all.', 403)
  list(@CurrentPrincipal() caller: Principal): Promise<EntityListDto> {
    return this.entities.list(caller);
  }
}
