import { AnyAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { EmptyResultDto, SessionDto, SignInCodeDto } from '@hone/contracts';
import { Answers, ApiBasicAuth, ApiBearerAuth, Feature } from '@hone/platform';
import { Controller, Delete, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { clearSessionCookie, setSessionCookie } from './session-cookies.js';
import { SessionMissingError } from './sessions.errors.js';
import { type OpenedSession, SessionsService } from './sessions.service.js';

@Feature('sessions', 'Browsers that are signed in with a key.')
@Controller('account/sessions')
@UseGuards(AnyAuthGuard)
@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
  @Answers(SessionDto, 'openSession', 'Sign a browser in with the key of the request: sets the cookie hone_session')
  async open(
    @CurrentPrincipal() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    return withCookie(request, reply, await this.sessions.open(caller));
  }

  @Post('codes')
  @Answers(SignInCodeDto, 'createSignInCode', 'Make a code that signs one browser in with the key of the request')
  makeCode(@CurrentPrincipal() caller: Principal): Promise<SignInCodeDto> {
    return this.sessions.makeCode(caller);
  }

  @Get('current')
  @Answers(SessionDto, 'getSession', 'Read the session of the request', SessionMissingError)
  read(@CurrentPrincipal() caller: Principal): SessionDto {
    return this.sessions.read(caller);
  }

  @Delete('current')
  @Answers(EmptyResultDto, 'endSession', 'Sign out: end the session of the request', SessionMissingError)
  async end(
    @CurrentPrincipal() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EmptyResultDto> {
    await this.sessions.end(caller);
    clearSessionCookie(request, reply);
    return {};
  }

  @Delete()
  @Answers(EmptyResultDto, 'endAllSessions', 'Sign out everywhere: end all sessions of the calling user')
  async endAll(
    @CurrentPrincipal() caller: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EmptyResultDto> {
    await this.sessions.endAll(caller);
    clearSessionCookie(request, reply);
    return {};
  }
}

export function withCookie(request: FastifyRequest, reply: FastifyReply, opened: OpenedSession): SessionDto {
  setSessionCookie(request, reply, opened.token);
  return opened.session;
}
