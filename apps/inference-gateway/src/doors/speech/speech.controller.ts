import { SpeechRequestDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, OpenRoute } from '@hone/platform';
import { Controller, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ChatPipeline } from '../../chat/chat.pipeline.js';
import { Exchanges } from '../../http/exchanges.js';
import { DoorRoute } from '../../openapi/door-route.decorator.js';
import { INFERENCE } from '../../openapi/inference.decorators.js';
import { SPEECH_DOOR } from './speech.door.js';

/** Audio of texts, by models of upstreams that speak. */
@Feature(...INFERENCE)
@Controller('v1/audio/speech')
@ApiBearerAuth('bearer')
export class SpeechController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly pipeline: ChatPipeline,
  ) {}

  @DoorRoute({
    body: SpeechRequestDto,
    result: null,
    operationId: 'createSpeech',
    summary: 'Speak a text',
    description:
      'Models of kind `speech` answer. The audio goes on as it comes from the upstream, with its media type. Where the upstream ' +
      'breaks off, the connection breaks, too.',
    answer: 'The audio.',
  })
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, SPEECH_DOOR));
  }

  @Options()
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
