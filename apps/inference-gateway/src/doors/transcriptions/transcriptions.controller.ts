import { TranscriptionDto, TranscriptionRequestDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, OpenRoute } from '@hone/platform';
import { Controller, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ChatPipeline } from '../../chat/chat.pipeline.js';
import { Exchanges } from '../../http/exchanges.js';
import { DoorRoute } from '../../openapi/door-route.decorator.js';
import { INFERENCE } from '../../openapi/inference.decorators.js';
import { TRANSCRIPTIONS_DOOR, TRANSLATIONS_DOOR } from './transcriptions.door.js';

const DESCRIPTION =
  'Models of kind `transcription` answer. The form goes on with the name that the model has at its upstream, and the answer ' +
  'comes back in the form of the upstream; it is not streamed.';
const CAPTIONS = { 'text/plain': { schema: { type: 'string' } } };

/** Texts of audio, by models of upstreams that write them down. */
@Feature(...INFERENCE)
@Controller('v1/audio')
@ApiBearerAuth('bearer')
export class TranscriptionsController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly pipeline: ChatPipeline,
  ) {}

  @DoorRoute({
    path: 'transcriptions',
    body: TranscriptionRequestDto,
    result: TranscriptionDto,
    isForm: true,
    operationId: 'createTranscription',
    summary: 'Write down what was said',
    description: DESCRIPTION,
    answer: 'The text, as `response_format` asks for it.',
    otherContent: CAPTIONS,
  })
  transcribe(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, TRANSCRIPTIONS_DOOR));
  }

  @DoorRoute({
    path: 'translations',
    body: TranscriptionRequestDto,
    result: TranscriptionDto,
    isForm: true,
    operationId: 'createTranslation',
    summary: 'Write down in English what was said',
    description: DESCRIPTION,
    answer: 'The text, as `response_format` asks for it.',
    otherContent: CAPTIONS,
  })
  translate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, TRANSLATIONS_DOOR));
  }

  @Options(['transcriptions', 'translations'])
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
