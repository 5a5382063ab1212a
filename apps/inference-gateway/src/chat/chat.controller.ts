import { ChatCompletionDto, ChatCompletionRequestDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, OpenRoute } from '@hone/platform';
import { Controller, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Exchanges } from '../http/exchanges.js';
import { DoorRoute } from '../openapi/door-route.decorator.js';
import { INFERENCE, TakesHeader } from '../openapi/inference.decorators.js';
import { ChatPipeline } from './chat.pipeline.js';
import { CHAT_DOOR } from './chat-door.js';

/** Chat completions. Requests of callers who are known take the shorter way of `chat.fast-path.ts` to the same pipeline. */
@Feature(...INFERENCE)
@Controller('v1/chat/completions')
@ApiBearerAuth('bearer')
export class ChatController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly pipeline: ChatPipeline,
  ) {}

  @DoorRoute({
    body: ChatCompletionRequestDto,
    result: ChatCompletionDto,
    mayStream: true,
    requestId: 'the id of the answer, unless the body has a `request_id`.',
    operationId: 'createChatCompletion',
    summary: 'Complete a chat, whole or as a stream of server-sent events',
    description: 'A slash at the end of the path changes nothing.',
    answer: 'The completion; with `stream`, frames of `chat.completion.chunk` and `[DONE]`.',
  })
  @TakesHeader('Hone-Defaults', '`listed`: absent fields have the values of `x-listed-default`; else as OpenAI does.')
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, CHAT_DOOR));
  }

  @Options()
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
