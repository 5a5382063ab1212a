import { ImageEditRequestDto, ImageListDto, ImagesRequestDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, OpenRoute } from '@hone/platform';
import { Controller, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ChatPipeline } from '../../chat/chat.pipeline.js';
import { Exchanges } from '../../http/exchanges.js';
import { DoorRoute } from '../../openapi/door-route.decorator.js';
import { INFERENCE } from '../../openapi/inference.decorators.js';
import { IMAGE_EDITS_DOOR, IMAGES_DOOR } from './images.door.js';

/** Images, by models of upstreams that make them. */
@Feature(...INFERENCE)
@Controller('v1/images')
@ApiBearerAuth('bearer')
export class ImagesController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly pipeline: ChatPipeline,
  ) {}

  @DoorRoute({
    path: 'generations',
    body: ImagesRequestDto,
    result: ImageListDto,
    operationId: 'createImages',
    summary: 'Make images',
    description: 'Models of kind `image` answer. Request and answer go on as they are; the answer is not streamed.',
    answer: 'The images, as base64 or as addresses at the upstream.',
  })
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, IMAGES_DOOR));
  }

  @DoorRoute({
    path: 'edits',
    body: ImageEditRequestDto,
    result: ImageListDto,
    isForm: true,
    operationId: 'editImages',
    summary: 'Change images',
    description: 'Models of kind `image` answer. The form goes on with the name that the model has at its upstream.',
    answer: 'The images, as base64 or as addresses at the upstream.',
  })
  edit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, IMAGE_EDITS_DOOR));
  }

  @Options(['generations', 'edits'])
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
