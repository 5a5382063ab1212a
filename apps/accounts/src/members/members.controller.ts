import { Body, Controller, Delete, Param, Put, UseGuards } from '@nestjs/common';
import { AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { MemberDto, MemberPutDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth } from '@hone/platform';

import { MembersService } from './members.service.js';

@Controller('account/entities/:entity/members/:username')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Put()
  @Answers(MemberDto, 'Makes a user a member with a role. Owners and admins only.', 403, 404, 409, 422)
  put(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('username') username: string,
    @Body() body: MemberPutDto,
  ): Promise<MemberDto> {
    return this.members.put(caller, entity, username, body.role);
  }

  @Delete()
  @Answers(MemberDto, 'Removes a member and answers what they were. Owners and admins only.', 403, 404, 409)
  delete(
    @CurrentPrincipal() caller: Principal,
    @Param('entity') entity: string,
    @Param('username') username: string,
  ): Promise<MemberDto> {
    return this.members.delete(caller, entity, username);
  }
}
