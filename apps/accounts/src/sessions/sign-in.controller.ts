import { AuthLimits } from '@hone/auth';
import { SessionDto, SignInCodeRedeemDto } from '@hone/contracts';
import { Answers, ApiSecurity, Feature, OpenRoute, RateLimitedError } from '@hone/platform';
import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { withCookie } from './sessions.controller.js';
import { SignInCodeInvalidError } from './sessions.errors.js';
import { SessionsService } from './sessions.service.js';

/** What is counted in place of a key: all codes that one address tries. */
const ATTEMPTS = 'sign-in code';

/** Where a browser without a key comes in: its code is its credential. */
@Feature('sessions', 'Browsers that are signed in with a key.')
@Controller('account/sessions/redeem')
@ApiSecurity({})
export class SignInController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly limits: AuthLimits,
  ) {}

  @Post()
  @OpenRoute(200, 401, 422, 429)
  @Answers(
    SessionDto,
    'redeemSignInCode',
    'Sign a browser in with a code: sets the cookie hone_session',
    SignInCodeInvalidError,
    RateLimitedError,
  )
  async redeem(
    @Body() { code }: SignInCodeRedeemDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const wait = this.limits.failuresLeft(request.ip, ATTEMPTS);
    if (wait) throw new RateLimitedError(wait);
    try {
      return withCookie(request, reply, await this.sessions.redeem(code));
    } catch (error) {
      if (error instanceof SignInCodeInvalidError) this.limits.countFailure(request.ip, ATTEMPTS);
      throw error;
    }
  }
}
