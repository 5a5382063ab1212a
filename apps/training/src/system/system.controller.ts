import { BearerAuthGuard } from '@hone/auth';
import { HealthDto, SystemCheckDto } from '@hone/contracts';
import { Answers, ApiBearerAuth, Feature } from '@hone/platform';
import { Controller, Get, Header, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { SystemCheckService } from './system-check.service.js';

const VERSION = '0.1.0';

@ApiBearerAuth('bearer')
@Feature('system', 'Whether the service works.')
@Controller('v1')
@UseGuards(BearerAuthGuard)
export class SystemController {
  constructor(private readonly system: SystemCheckService) {}

  @Get('health')
  @Header('cache-control', 'no-store')
  @Answers(HealthDto, 'getHealth', 'Say whether the service is up')
  health(): HealthDto {
    return { status: 'ok', version: VERSION };
  }

  @Get('system-check')
  @Header('cache-control', 'no-store')
  @Answers(SystemCheckDto, 'checkSystem', 'Say whether jobs would be trained: 503 with the same body when not')
  async systemCheck(@Res({ passthrough: true }) reply: FastifyReply): Promise<SystemCheckDto> {
    const { status, body } = await this.system.check();
    reply.status(status);
    return body;
  }
}
