import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { UserCreateDto, UserDto, UserListDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, IdempotentByKey } from '@hone/platform';

import { UsersService } from './users.service.js';

@Controller('account/users')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Post()
  @IdempotentByKey()
  @Answers(UserDto, 'Makes a user and the entity of the same name. Admins only.', 403, 409, 422)
  create(@CurrentPrincipal() caller: Principal, @Body() body: UserCreateDto): Promise<UserDto> {
    return this.users.create(caller, body);
  }

  @Get()
  @Answers(UserListDto, 'All users. Admins only.', 403)
  list(@CurrentPrincipal() caller: Principal): Promise<UserListDto> {
    return this.users.list(caller);
  }
}
