import { AccessDeniedError, AnyAuthGuard, CurrentPrincipal, type Principal, SecretKeyAuthGuard } from '@hone/auth';
import {
  OtlpExportDto,
  OtlpExportResultDto,
  OtlpLogsDto,
  OtlpLogsResultDto,
  OtlpMetricsDto,
  OtlpMetricsResultDto,
} from '@hone/contracts';
import {
  Answers,
  ApiBasicAuth,
  ApiBearerAuth,
  ApiConsumes,
  ApiHeader,
  ApiProduces,
  Feature,
  TakesRawBody,
} from '@hone/platform';
import { Controller, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { OtlpService } from './otlp.service.js';
import { toAnswer } from './otlp-answer.js';
import { OtlpErrorFilter, PROTOBUF } from './otlp-error.filter.js';

const PROJECT_HEADER = {
  name: 'Hone-Project',
  required: false,
  description:
    'Project `<entity>/<project>` of resources that do not name theirs. `project_id` is read, too. Absent: the project of the key.',
};

@ApiBasicAuth('basic')
@ApiBearerAuth('bearer')
@Feature('opentelemetry', 'Spans of OpenTelemetry, kept as calls.')
@Controller('otel')
@UseGuards(AnyAuthGuard)
@UseFilters(OtlpErrorFilter)
export class OtlpController {
  constructor(private readonly otlp: OtlpService) {}

  /** OTLP over HTTP, in protobuf or JSON; it is answered in the same. */
  @Post('v1/traces')
  @TakesRawBody(OtlpExportDto, 'gzip', 'x-gzip', 'deflate')
  @ApiHeader(PROJECT_HEADER)
  @ApiConsumes('application/json', PROTOBUF)
  @ApiProduces('application/json', PROTOBUF)
  @Answers(OtlpExportResultDto, 'exportSpans', 'Store spans of OpenTelemetry as calls', AccessDeniedError)
  async traces(
    @CurrentPrincipal() author: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OtlpExportResultDto | Buffer> {
    const rejected = await this.otlp.storeSpans(author, { request, reply });
    return toAnswer(request, reply, 'ExportTraceServiceResponse', rejected);
  }

  /** Events of generative AI become a part of the call that their span is; other log records are dropped. */
  @Post('v1/logs')
  @TakesRawBody(OtlpLogsDto, 'gzip', 'x-gzip', 'deflate')
  @ApiHeader(PROJECT_HEADER)
  @ApiConsumes('application/json', PROTOBUF)
  @ApiProduces('application/json', PROTOBUF)
  @Answers(
    OtlpLogsResultDto,
    'exportLogs',
    'Add events of generative AI to the calls of their spans',
    AccessDeniedError,
  )
  async logs(
    @CurrentPrincipal() author: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OtlpLogsResultDto | Buffer> {
    const rejected = await this.otlp.storeEvents(author, { request, reply });
    return toAnswer(request, reply, 'ExportLogsServiceResponse', rejected);
  }

  /** Metrics are dropped: exporters that send all signals to one address need no setting of their own. */
  @Post('v1/metrics')
  @TakesRawBody(OtlpMetricsDto, 'gzip', 'x-gzip', 'deflate')
  @ApiConsumes('application/json', PROTOBUF)
  @ApiProduces('application/json', PROTOBUF)
  @Answers(OtlpMetricsResultDto, 'exportMetrics', 'Accept metrics of OpenTelemetry, which are not kept')
  async metrics(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OtlpMetricsResultDto | Buffer> {
    await this.otlp.dropMetrics({ request, reply });
    return toAnswer(request, reply, 'ExportMetricsServiceResponse');
  }
}

/** Where the SDKs of Langfuse send their spans: they work with this server as their host. */
@ApiBasicAuth('basic')
@Feature('opentelemetry', 'Spans of OpenTelemetry, kept as calls.')
@Controller('api/public/otel')
@UseGuards(SecretKeyAuthGuard)
@UseFilters(OtlpErrorFilter)
export class LangfuseOtlpController {
  constructor(private readonly otlp: OtlpService) {}

  /** The same as `/otel/v1/traces`. The secret key is one of ours, the public key may be any text. */
  @Post('v1/traces')
  @TakesRawBody(OtlpExportDto, 'gzip', 'x-gzip', 'deflate')
  @ApiHeader(PROJECT_HEADER)
  @ApiConsumes('application/json', PROTOBUF)
  @ApiProduces('application/json', PROTOBUF)
  @Answers(OtlpExportResultDto, 'exportLangfuseSpans', 'Store spans of Langfuse SDKs as calls', AccessDeniedError)
  async traces(
    @CurrentPrincipal() author: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OtlpExportResultDto | Buffer> {
    const rejected = await this.otlp.storeSpans(author, { request, reply });
    return toAnswer(request, reply, 'ExportTraceServiceResponse', rejected);
  }
}
