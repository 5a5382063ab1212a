import { CompletionDto, CompletionRequestDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, OpenRoute } from '@hone/platform';
import { Controller, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ChatPipeline } from '../../chat/chat.pipeline.js';
import { Exchanges } from '../../http/exchanges.js';
import { DoorRoute } from '../../openapi/door-route.decorator.js';
import { INFERENCE } from '../../openapi/inference.decorators.js';
import { COMPLETIONS_DOOR } from './completions.door.js';

/** Completions of prompts, the form before chats. */
@Feature(...INFERENCE)
@Controller('v1/completions')
@ApiBearerAuth('bearer')
export class CompletionsController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly pipeline: ChatPipeline,
  ) {}

  @DoorRoute({
    body: CompletionRequestDto,
    result: CompletionDto,
    mayStream: true,
    requestId: 'the id of the answer.',
    operationId: 'createCompletion',
    summary: 'Continue a prompt, whole or as a stream of server-sent events',
    description: 'The embedded models answer, and upstreams that speak it. No chat template is used.',
    answer: 'The completion; with `stream`, frames of `text_completion` and `[DONE]`.',
  })
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, COMPLETIONS_DOOR));
  }

  @Options()
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
