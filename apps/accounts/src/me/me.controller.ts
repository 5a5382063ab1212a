import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { MeDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature } from '@hone/platform';
import { Controller, Get, UseGuards } from '@nestjs/common';

import { MeService } from './me.service.js';

@Feature('me', 'The calling user.')
@Controller('account/me')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class MeController {
  constructor(private readonly me: MeService) {}

  @Get()
  @Answers(MeDto, 'getMe', 'Read the calling user, their entities and the key in use', AccessDeniedError)
  read(@CurrentPrincipal() caller: Principal): Promise<MeDto> {
    return this.me.read(caller);
  }
}
