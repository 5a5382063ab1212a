import { Controller, Headers, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { AccessDeniedError, BasicAuthGuard, CurrentPrincipal, type Principal } from '@hone/auth';
import { OtlpExportDto, OtlpExportResultDto } from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  ApiConsumes,
  ApiHeader,
  ApiProduces,
  Feature,
  type RequestBody,
  TakesRawBody,
} from '@hone/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { isProtobuf, OtlpErrorFilter, PROTOBUF } from './otlp-error.filter.js';
import { encodeResponse } from './otlp-protobuf.js';
import { OtlpService } from './otlp.service.js';

@ApiBasicAuth('basic')
@Feature('opentelemetry', 'Spans of OpenTelemetry, kept as calls.')
@Controller('otel')
@UseGuards(BasicAuthGuard)
@UseFilters(OtlpErrorFilter)
export class OtlpController {
  constructor(private readonly otlp: OtlpService) {}

  /** OTLP over HTTP, in protobuf or JSON; it is answered in the same. */
  @Post('v1/traces')
  @TakesRawBody(OtlpExportDto, 'gzip', 'x-gzip', 'deflate')
  @ApiHeader({
    name: 'Hone-Project',
    required: false,
    description: 'Project `<entity>/<project>` of resources that do not name theirs. `project_id` is read, too.',
  })
  @ApiConsumes('application/json', PROTOBUF)
  @ApiProduces('application/json', PROTOBUF)
  @Answers(OtlpExportResultDto, 'exportSpans', 'Store spans of OpenTelemetry as calls', AccessDeniedError)
  async export(
    @CurrentPrincipal() author: Principal,
    @Req() request: FastifyRequest,
    @Headers('hone-project') project: string | undefined,
    @Headers('project_id') projectId: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OtlpExportResultDto | Buffer> {
    const body = request.body as RequestBody;
    const defaultProject = project ?? projectId ?? null;
    if (isProtobuf(request)) {
      const rejected = await this.otlp.store(author, body.bytes, defaultProject);
      reply.header('content-type', PROTOBUF);
      return encodeResponse(rejected);
    }
    const rejected = await this.otlp.store(author, body.json(), defaultProject);
    // OTLP's JSON writes integers of 64 bits as text.
    return rejected ? { partialSuccess: { ...rejected, rejectedSpans: String(rejected.rejectedSpans) } } : {};
  }
}
