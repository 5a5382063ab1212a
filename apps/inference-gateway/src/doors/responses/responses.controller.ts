import { ResponseDto, ResponsesRequestDto } from '@hone/contracts';
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
} from '../../openapi/inference.decorators.js';
import { RESPONSES_DOOR } from './responses.door.js';

/** OpenAI's Responses, answered as chat completions are. */
@Feature(...INFERENCE)
@Controller('v1/responses')
@ApiBearerAuth('bearer')
export class ResponsesController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly pipeline: ChatPipeline,
  ) {}

  @Post()
  @OpenRoute(200)
  @InferenceAnswers(ResponseDto, {
    operationId: 'createResponse',
    summary: 'Create a response, whole or as a stream of events',
    description: 'The form of OpenAI’s Responses. Any model answers, by the same rules as in chat completions.',
    answer: 'The response; with `stream`, events from `response.created` to `response.completed` and `[DONE]`.',
    otherContent: { 'text/event-stream': { schema: { type: 'string' } } },
    errors: ANSWER_ERRORS,
  })
  @LeavesBodyUnread(ResponsesRequestDto)
  @TakesHeader('Hone-Stream-Guard', '`buffered`: a stream begins once its answer is known to be whole.')
  @TakesHeader('X-Request-Id', 'Becomes the id of the response.')
  @NamesProject()
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, RESPONSES_DOOR));
  }

  @Options()
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
