import { EmbeddingListDto, EmbeddingsRequestDto } from '@hone/contracts';
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
import { EMBEDDINGS_DOOR } from './embeddings.door.js';

/** Embeddings of texts, by models that make them. */
@Feature(...INFERENCE)
@Controller('v1/embeddings')
@ApiBearerAuth('bearer')
export class EmbeddingsController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly pipeline: ChatPipeline,
  ) {}

  @Post()
  @OpenRoute(200)
  @InferenceAnswers(EmbeddingListDto, {
    operationId: 'createEmbeddings',
    summary: 'Embed texts',
    description:
      'Models of kind `embedding` answer, of upstreams and of the embedded engine. More inputs than an upstream takes at ' +
      'once are sent in parts, and joined in order.',
    answer: 'The embeddings, in the order of the inputs.',
    errors: ANSWER_ERRORS,
  })
  @LeavesBodyUnread(EmbeddingsRequestDto)
  @TakesRoutingHeaders()
  @TakesHeader('X-Request-Id', 'Becomes the id of the request.')
  @NamesProject()
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, EMBEDDINGS_DOOR));
  }

  @Options()
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
