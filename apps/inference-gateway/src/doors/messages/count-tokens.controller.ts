import { CountTokensRequestDto, MessageErrorDto, TokenCountDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, LeavesBodyUnread, OpenRoute } from '@hone/platform';
import { Controller, Options, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { TokenCounter } from '../../chat/token-counter.js';
import { Exchanges } from '../../http/exchanges.js';
import { INFERENCE, InferenceAnswers, NamesProject, TakesHeader } from '../../openapi/inference.decorators.js';
import { COUNT_DOOR } from './messages.door.js';

/** How many tokens a message's prompt has. */
@Feature(...INFERENCE)
@Controller('v1/messages/count_tokens')
@ApiBearerAuth('bearer')
export class CountTokensController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly counter: TokenCounter,
  ) {}

  @Post()
  @OpenRoute(200)
  @InferenceAnswers(TokenCountDto, {
    operationId: 'countMessageTokens',
    summary: 'Count the tokens of a message’s prompt',
    description: 'Costs nothing: no limit is spent, no usage is recorded, and no call is kept.',
    answer: 'The number of tokens.',
    errors: [400, 401, 403, 404, 408, 413, 415, 422, 429, 500, 502, 503],
    errorType: MessageErrorDto,
  })
  @LeavesBodyUnread(CountTokensRequestDto)
  @TakesHeader('X-Api-Key', 'The key, for clients that send no `Authorization`, which takes precedence.')
  @NamesProject()
  count(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.exchanges.answer(
      request,
      reply,
      async (exchange) => ({ input_tokens: await this.counter.count(exchange, COUNT_DOOR) }),
      COUNT_DOOR,
    );
  }

  @Options()
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
