import { sessionTokenOf } from '@hone/auth';
import { SessionStatusDto } from '@hone/contracts';
import { Answers, ApiSecurity, Feature, OpenRoute, RateLimitedError } from '@hone/platform';
import { Controller, Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { SessionsService } from './sessions.service.js';

/** What a page asks first. That nobody is signed in is an answer like any other, not an error in the browser's console. */
@Feature('sessions', 'Browsers that are signed in with a key.')
@Controller('account/sessions/status')
@ApiSecurity({})
export class SessionStatusController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @OpenRoute(200, 429)
  @Answers(
    SessionStatusDto,
    'getSessionStatus',
    'Ask who is signed in by the cookie of the request, if anybody is',
    RateLimitedError,
  )
  async read(@Req() { headers }: FastifyRequest): Promise<SessionStatusDto> {
    return { session: await this.sessions.find(sessionTokenOf(headers)) };
  }
}
