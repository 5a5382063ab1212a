import { InferenceModelDto, InferenceModelListDto } from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, ApiParam, Feature, OpenRoute } from '@hone/platform';
import { Controller, Get, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Exchanges } from '../http/exchanges.js';
import { INFERENCE, InferenceAnswers, NamesProject } from '../openapi/inference.decorators.js';
import { ModelsService } from './models.service.js';

@Feature(...INFERENCE)
@Controller('v1/models')
@ApiBearerAuth('bearer')
export class ModelsController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly models: ModelsService,
  ) {}

  @Get()
  @OpenRoute(200)
  @InferenceAnswers(InferenceModelListDto, {
    operationId: 'listModels',
    summary: 'List the models that chat completions can name',
    answer: 'All models that the caller may use.',
    errors: [401, 403, 429, 500, 503],
  })
  @NamesProject()
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.exchanges.answer(request, reply, (exchange) => this.models.list(exchange));
  }

  /** The name may have slashes. */
  @Get('*')
  @OpenRoute(200)
  @InferenceAnswers(InferenceModelDto, {
    operationId: 'getModel',
    summary: 'Read one model',
    answer: 'The model.',
    errors: [401, 403, 404, 422, 429, 500, 503],
  })
  @ApiParam({
    name: 'id',
    description: 'Name of the model, as `model` takes it.',
    schema: { type: 'string', examples: ['hone-tiny'] },
  })
  @NamesProject()
  get(@Req() request: FastifyRequest<{ Params: { '*': string } }>, @Res() reply: FastifyReply): Promise<void> {
    return this.exchanges.answer(request, reply, (exchange) => this.models.get(exchange, request.params['*']));
  }

  @Options(['', '*'])
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'GET', 'HEAD');
  }
}
