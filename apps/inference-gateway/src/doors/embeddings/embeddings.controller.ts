import { EmbeddingListDto, EmbeddingsRequestDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, OpenRoute } from '@hone/platform';
import { Controller, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ChatPipeline } from '../../chat/chat.pipeline.js';
import { Exchanges } from '../../http/exchanges.js';
import { DoorRoute } from '../../openapi/door-route.decorator.js';
import { INFERENCE } from '../../openapi/inference.decorators.js';
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

  @DoorRoute({
    body: EmbeddingsRequestDto,
    result: EmbeddingListDto,
    operationId: 'createEmbeddings',
    summary: 'Embed texts',
    description:
      'Models of kind `embedding` answer, of upstreams and of the embedded engine. More inputs than an upstream takes at ' +
      'once are sent in parts, and joined in order.',
    answer: 'The embeddings, in the order of the inputs.',
  })
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
