import { Readable } from 'node:stream';

import { BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { type JsonObject, stringifyJson } from '@hone/contracts';
import { ApiExcludeController, leaveSignal, RouteNotFoundError, SERVICE_CONFIG } from '@hone/platform';
import { Body, Controller, Header, HttpCode, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { OWN_PATH } from '../paths.js';
import { gatewayCredentials, ownCredentials } from '../requests/credentials.js';
import { ChatGateway } from './chat-gateway.js';
import { CompletionDto } from './completions.dto.js';
import { CompletionsService, type Exchange } from './completions.service.js';

/** Chat completions by our gateway, with the caller's own key, or the session of a browser. */
@ApiExcludeController()
@Controller(`${OWN_PATH}/completions`)
@UseGuards(BasicAuthGuard)
export class CompletionsController {
  constructor(
    private readonly completions: CompletionsService,
    @Inject(SERVICE_CONFIG) private readonly config: { gatewayUrl?: string },
  ) {}

  @Post('create')
  @HttpCode(200)
  create(
    @CurrentPrincipal() caller: Principal,
    @Body() body: CompletionDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject> {
    return this.completions.create(caller, body, this.exchange(request, reply));
  }

  @Post('create_stream')
  @HttpCode(200)
  @Header('content-type', 'application/x-ndjson; charset=utf-8')
  async stream(
    @CurrentPrincipal() caller: Principal,
    @Body() body: CompletionDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const lines = this.completions.stream(caller, body, this.exchange(request, reply));
    const first = await lines.next(); // what is wrong with the request is thrown, and becomes a status
    async function* all() {
      if (!first.done) yield first.value;
      yield* lines;
    }
    return Readable.from(all(), { objectMode: false });
  }

  /** @throws RouteNotFoundError this service knows no gateway */
  private exchange({ server, headers }: FastifyRequest, reply: FastifyReply): Exchange {
    const { gatewayUrl } = this.config;
    if (gatewayUrl === undefined) throw new RouteNotFoundError();
    const sent = { ...ownCredentials(headers), 'content-type': 'application/json' };
    return {
      gateway: new ChatGateway(gatewayUrl, gatewayCredentials(headers), leaveSignal(reply)),
      canonical: async (path, body) => {
        const answer = await server.inject({ method: 'POST', url: path, headers: sent, payload: stringifyJson(body) });
        return { status: answer.statusCode, text: answer.body };
      },
    };
  }
}
