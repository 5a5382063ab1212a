import { MessageDto, MessageErrorDto, MessagesRequestDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, LeavesBodyUnread, OpenRoute } from '@hone/platform';
import { Controller, Options, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ChatPipeline } from '../../chat/chat.pipeline.js';
import { Exchanges } from '../../http/exchanges.js';
import {
  ANSWER_ERRORS,
  INFERENCE,
  InferenceAnswers,
  NamesProject,
  TakesHeader,
  TakesRoutingHeaders,
} from '../../openapi/inference.decorators.js';
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

  @Post()
  @OpenRoute(200)
  @InferenceAnswers(MessageDto, {
    operationId: 'createMessage',
    summary: 'Create a message, whole or as a stream of events',
    description: 'The form of Anthropic’s Messages. Any model answers, by the same rules as in chat completions.',
    answer: 'The message; with `stream`, events from `message_start` to `message_stop`.',
    otherContent: { 'text/event-stream': { schema: { type: 'string' } } },
    errors: ANSWER_ERRORS,
    errorType: MessageErrorDto,
  })
  @LeavesBodyUnread(MessagesRequestDto)
  @TakesHeader('X-Api-Key', 'The key, for clients that send no `Authorization`, which takes precedence.')
  @TakesHeader('Hone-Stream-Guard', '`buffered`: a stream begins once its answer is known to be whole.')
  @TakesRoutingHeaders()
  @TakesHeader('X-Request-Id', 'Becomes the id of the message.')
  @NamesProject()
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
