import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { UserCreateDto, UserDto, UserListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature, IdempotentByKey } from '@hone/platform';
import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';

import { EntityNameTakenError } from '../entities/entities.errors.js';
import { UsernameTakenError } from './users.errors.js';
import { UsersService } from './users.service.js';

@Feature('users', 'Who may use the server.')
@Controller('account/users')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Post()
  @IdempotentByKey()
  @Answers(
    UserDto,
    'createUser',
    'Create a user and the entity of the same name; admins only',
    AccessDeniedError,
    UsernameTakenError,
    EntityNameTakenError,
  )
  create(@CurrentPrincipal() caller: Principal, @Body() body: UserCreateDto): Promise<UserDto> {
    return this.users.create(caller, body);
  }

  @Get()
  @Answers(UserListDto, 'listUsers', 'List all users; admins only', AccessDeniedError)
  list(@CurrentPrincipal() caller: Principal): Promise<UserListDto> {
    return this.users.list(caller);
  }
}
