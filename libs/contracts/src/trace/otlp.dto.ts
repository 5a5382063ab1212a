import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, Nested, NestedList } from '../validation/rule.js';
import { IsJsonValue, IsText } from '../validation/rules.js';

/** Spans that come from one process. */
@AcceptsUnknownFields()
export class OtlpResourceSpansDto {
  /** The process: `{"attributes": […]}`. */
  @IsOptional() @IsJsonValue() resource?: unknown;
  /** Its spans by the library that they come from: `[{"scope": {…}, "spans": […]}]`. */
  @IsOptional() @IsJsonValue() scopeSpans?: unknown;
}

/** Body of `POST /otel/v1/traces`: an `ExportTraceServiceRequest` of OTLP, as JSON or protobuf. */
@AcceptsUnknownFields()
@Example({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'hone.project', value: { stringValue: 'acme/demo' } }] },
      scopeSpans: [
        {
          scope: { name: 'my.app' },
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              name: 'chat gpt-4.1',
              kind: 3,
              startTimeUnixNano: '1768471140000000000',
              endTimeUnixNano: '1768471141000000000',
              attributes: [
                { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4.1' } },
                { key: 'gen_ai.usage.input_tokens', value: { intValue: '12' } },
              ],
            },
          ],
        },
      ],
    },
  ],
})
export class OtlpExportDto {
  /** Spans by the process and the library that they come from. Absent or null: none. */
  @IsOptional() @NestedList(() => OtlpResourceSpansDto) resourceSpans?: OtlpResourceSpansDto[] | null;
}

/** Spans that were not stored. */
export class OtlpPartialSuccessDto {
  /** How many; an integer of 64 bits, which OTLP writes as text. */
  @IsText() rejectedSpans!: string;
  /** Why, a sentence for each cause. */
  @IsText() errorMessage!: string;
}

/** Answer of `POST /otel/v1/traces`: an `ExportTraceServiceResponse` of OTLP. */
export class OtlpExportResultDto {
  /** What was not stored. Absent: every span was. */
  @IsOptional() @Nested(() => OtlpPartialSuccessDto) partialSuccess?: OtlpPartialSuccessDto;
}

/** Log records that come from one process. */
@AcceptsUnknownFields()
export class OtlpResourceLogsDto {
  /** The process: `{"attributes": […]}`. */
  @IsOptional() @IsJsonValue() resource?: unknown;
  /** Its log records by the library that they come from: `[{"scope": {…}, "logRecords": […]}]`. */
  @IsOptional() @IsJsonValue() scopeLogs?: unknown;
}

/** Body of `POST /otel/v1/logs`: an `ExportLogsServiceRequest` of OTLP, as JSON or protobuf. */
@AcceptsUnknownFields()
@Example({
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'hone.project', value: { stringValue: 'acme/demo' } }] },
      scopeLogs: [
        {
          logRecords: [
            {
              ...{ traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' },
              ...{ timeUnixNano: '1768471140000000000', eventName: 'gen_ai.user.message' },
              body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'What is 2+2?' } }] } },
            },
          ],
        },
      ],
    },
  ],
})
export class OtlpLogsDto {
  /** Log records by the process and the library that they come from. Absent or null: none. */
  @IsOptional() @NestedList(() => OtlpResourceLogsDto) resourceLogs?: OtlpResourceLogsDto[] | null;
}

/** Log records that were not stored. */
export class OtlpLogsPartialSuccessDto {
  /** How many; an integer of 64 bits, which OTLP writes as text. */
  @IsText() rejectedLogRecords!: string;
  /** Why, a sentence for each cause. */
  @IsText() errorMessage!: string;
}

/** Answer of `POST /otel/v1/logs`: an `ExportLogsServiceResponse` of OTLP. */
export class OtlpLogsResultDto {
  /** What was not stored. Absent: all that is kept of the log records was. */
  @IsOptional() @Nested(() => OtlpLogsPartialSuccessDto) partialSuccess?: OtlpLogsPartialSuccessDto;
}

/** Metrics that come from one process. */
@AcceptsUnknownFields()
export class OtlpResourceMetricsDto {
  /** The process: `{"attributes": […]}`. */
  @IsOptional() @IsJsonValue() resource?: unknown;
  /** Its metrics by the library that they come from. */
  @IsOptional() @IsJsonValue() scopeMetrics?: unknown;
}

/** Body of `POST /otel/v1/metrics`: an `ExportMetricsServiceRequest` of OTLP, as JSON or protobuf. It is not kept. */
@AcceptsUnknownFields()
@Example({ resourceMetrics: [{ resource: { attributes: [] }, scopeMetrics: [] }] })
export class OtlpMetricsDto {
  /** Metrics by the process and the library that they come from, which are dropped. Absent or null: none. */
  @IsOptional() @NestedList(() => OtlpResourceMetricsDto) resourceMetrics?: OtlpResourceMetricsDto[] | null;
}

/** Answer of `POST /otel/v1/metrics`: an `ExportMetricsServiceResponse` of OTLP, which has no fields. */
export class OtlpMetricsResultDto {}
