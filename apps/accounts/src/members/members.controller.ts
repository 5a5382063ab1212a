import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { MemberDto, MemberListDto, MemberPutDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature } from '@hone/platform';
import { Body, Controller, Delete, Get, Param, Put, UseGuards } from '@nestjs/common';

import { EntityNotFoundError } from '../entities/entities.errors.js';
import { UserNotFoundError } from '../users/users.errors.js';
import { LastOwnerError, MemberNotFoundError } from './members.errors.js';
import { MembersService } from './members.service.js';

@Feature('members', 'Who may do what in an entity.')
@Controller('account/entities/:entity/members')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @Answers(
    MemberListDto,
    'listMembers',
    'List who may do what in an entity; members and admins only',
    AccessDeniedError,
    EntityNotFoundError,
  )
  list(@CurrentPrincipal() caller: Principal, @Param('entity') entity: string): Promise<MemberListDto> {
    return this.members.list(caller, entity);
  }

  @Put(':username')
  @Answers(
    MemberDto,
    'putMember',
    'Make a user a member with a role; owners and admins only',
    AccessDeniedError,
    EntityNotFoundError,
    UserNotFoundError,
    LastOwnerError,
  )
  put(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('username') username: string,
    @Body() body: MemberPutDto,
  ): Promise<MemberDto> {
    return this.members.put(caller, entity, username, body.role);
  }

  @Delete(':username')
  @Answers(
    MemberDto,
    'deleteMember',
    'Remove a member, and answer what they were; owners and admins only',
    AccessDeniedError,
    EntityNotFoundError,
    UserNotFoundError,
    MemberNotFoundError,
    LastOwnerError,
  )
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('username') username: string,
  ): Promise<MemberDto> {
    return this.members.delete(caller, entity, username);
  }
}
