import { MessageDto, MessageErrorDto, MessagesRequestDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, OpenRoute } from '@hone/platform';
import { Controller, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ChatPipeline } from '../../chat/chat.pipeline.js';
import { Exchanges } from '../../http/exchanges.js';
import { DoorRoute } from '../../openapi/door-route.decorator.js';
import { INFERENCE, TakesHeader } from '../../openapi/inference.decorators.js';
import { MESSAGES_DOOR } from './messages.door.js';

/** Anthropic's Messages, answered as chat completions are. */
@Feature(...INFERENCE)
@Controller('v1/messages')
@ApiBearerAuth('bearer')
export class MessagesController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly pipeline: ChatPipeline,
  ) {}

  @DoorRoute({
    body: MessagesRequestDto,
    result: MessageDto,
    mayStream: true,
    requestId: 'the id of the message.',
    operationId: 'createMessage',
    summary: 'Create a message, whole or as a stream of events',
    description: 'The form of Anthropic’s Messages. Any model answers, by the same rules as in chat completions.',
    answer: 'The message; with `stream`, events from `message_start` to `message_stop`.',
    errorType: MessageErrorDto,
  })
  @TakesHeader('X-Api-Key', 'The key, for clients that send no `Authorization`, which takes precedence.')
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(
      request,
      reply,
      (exchange) => this.pipeline.run(exchange, MESSAGES_DOOR),
      MESSAGES_DOOR,
    );
  }

  @Options()
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
