import { Controller, Get, UseGuards } from '@nestjs/common';
import { AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { MeDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth } from '@hone/platform';

import { MeService } from './me.service.js';

@Controller('account/me')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class MeController {
  constructor(private readonly me: MeService) {}

  @Get()
  @Answers(MeDto, 'The calling user, their entities and the key in use.', 403)
  read(@CurrentPrincipal() caller: Principal): Promise<MeDto> {
    return this.me.read(caller);
  }
}
