import {
  DeletedResponseDto,
  InputItemListDto,
  InputItemsQueryDto,
  ResponseDto,
  ResponsesRequestDto,
} from '@hone/contracts';
import { ApiBearerAuth, ApiExcludeEndpoint, Feature, OpenRoute } from '@hone/platform';
import { Controller, Delete, Get, Options, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ChatPipeline } from '../../chat/chat.pipeline.js';
import { Exchanges } from '../../http/exchanges.js';
import { PathNotFoundError } from '../../http/http.errors.js';
import { DoorRoute } from '../../openapi/door-route.decorator.js';
import { INFERENCE, InferenceAnswers, NamesProject } from '../../openapi/inference.decorators.js';
import { ResponsesDoor } from './responses.door.js';
import { StoredResponsesApi } from './stored/stored-responses.api.js';

const READ_ERRORS = [401, 403, 404, 422, 429, 500, 503];

/** OpenAI's Responses, answered as chat completions are. */
@Feature(...INFERENCE)
@Controller('v1/responses')
@ApiBearerAuth('bearer')
export class ResponsesController {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly pipeline: ChatPipeline,
    private readonly door: ResponsesDoor,
    private readonly stored: StoredResponsesApi,
  ) {}

  @DoorRoute({
    body: ResponsesRequestDto,
    result: ResponseDto,
    mayStream: true,
    requestId: 'the id of the response.',
    operationId: 'createResponse',
    summary: 'Create a response, whole or as a stream of events',
    description: 'The form of OpenAI’s Responses. Any model answers, by the same rules as in chat completions.',
    answer: 'The response; with `stream`, events from `response.created` to `response.completed` and `[DONE]`.',
  })
  create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    request.hasOwnLogLine = true;
    return this.exchanges.stream(request, reply, (exchange) => this.pipeline.run(exchange, this.door));
  }

  /** Clients that would have a conversation compacted take 404 for a server that does not; 405 puzzles them. */
  @Post('compact')
  @OpenRoute(404)
  @ApiExcludeEndpoint()
  compact(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.refuse(request, reply, new PathNotFoundError());
  }

  @Get(':id')
  @OpenRoute(200)
  @InferenceAnswers(ResponseDto, {
    operationId: 'getResponse',
    summary: 'Read a stored response',
    answer: 'The response, as it was given.',
    errors: READ_ERRORS,
  })
  @NamesProject()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    return this.exchanges.answer(request, reply, (exchange) => this.stored.get(exchange, id));
  }

  @Delete(':id')
  @OpenRoute(200)
  @InferenceAnswers(DeletedResponseDto, {
    operationId: 'deleteResponse',
    summary: 'Delete a stored response, and the call that it is',
    answer: 'It is deleted; its content is erased soon.',
    errors: READ_ERRORS,
  })
  @NamesProject()
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    return this.exchanges.answer(request, reply, (exchange) => this.stored.delete(exchange, id));
  }

  @Get(':id/input_items')
  @OpenRoute(200)
  @InferenceAnswers(InputItemListDto, {
    operationId: 'listInputItems',
    summary: 'List what a stored response was asked with',
    answer: 'Items of its input, with those of the responses that it continues.',
    errors: READ_ERRORS,
  })
  @NamesProject()
  inputItems(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query() query: InputItemsQueryDto,
  ): Promise<void> {
    return this.exchanges.answer(request, reply, (exchange) => this.stored.inputItems(exchange, id, query));
  }

  @Options([':id', ':id/input_items'])
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflightOfStored(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'GET', 'HEAD', 'DELETE');
  }

  @Options()
  @OpenRoute(204)
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.exchanges.answerPreflight(request, reply, 'POST');
  }
}
