/**
 * The parts of OTLP's protobuf schema that traces and logs use, as protobufjs wants it.
 * Source: `opentelemetry/proto/{collector/trace/v1/trace_service,trace/v1/trace,collector/logs/v1/logs_service,logs/v1/logs,
 * common/v1/common,resource/v1/resource}.proto`
 * of opentelemetry-proto 1.9.
 */
const field = (id: number, type: string) => ({ id, type });
const repeated = (id: number, type: string) => ({ id, type, rule: 'repeated' });

export const OTLP_SCHEMA = {
  nested: {
    ExportTraceServiceRequest: { fields: { resourceSpans: repeated(1, 'ResourceSpans') } },
    ExportTraceServiceResponse: { fields: { partialSuccess: field(1, 'ExportTracePartialSuccess') } },
    ExportTracePartialSuccess: { fields: { rejectedSpans: field(1, 'int64'), errorMessage: field(2, 'string') } },
    ExportLogsServiceRequest: { fields: { resourceLogs: repeated(1, 'ResourceLogs') } },
    ExportLogsServiceResponse: { fields: { partialSuccess: field(1, 'ExportLogsPartialSuccess') } },
    ExportLogsPartialSuccess: { fields: { rejectedLogRecords: field(1, 'int64'), errorMessage: field(2, 'string') } },
    ExportMetricsServiceResponse: { fields: {} },
    ResourceLogs: { fields: { resource: field(1, 'Resource'), scopeLogs: repeated(2, 'ScopeLogs') } },
    ScopeLogs: { fields: { scope: field(1, 'InstrumentationScope'), logRecords: repeated(2, 'LogRecord') } },
    LogRecord: {
      fields: {
        timeUnixNano: field(1, 'fixed64'),
        observedTimeUnixNano: field(11, 'fixed64'),
        body: field(5, 'AnyValue'),
        attributes: repeated(6, 'KeyValue'),
        traceId: field(9, 'bytes'),
        spanId: field(10, 'bytes'),
        eventName: field(12, 'string'),
      },
    },
    ResourceSpans: { fields: { resource: field(1, 'Resource'), scopeSpans: repeated(2, 'ScopeSpans') } },
    Resource: { fields: { attributes: repeated(1, 'KeyValue') } },
    ScopeSpans: { fields: { scope: field(1, 'InstrumentationScope'), spans: repeated(2, 'Span') } },
    InstrumentationScope: {
      fields: { name: field(1, 'string'), version: field(2, 'string'), attributes: repeated(3, 'KeyValue') },
    },
    Span: {
      fields: {
        traceId: field(1, 'bytes'),
        spanId: field(2, 'bytes'),
        traceState: field(3, 'string'),
        parentSpanId: field(4, 'bytes'),
        flags: field(16, 'fixed32'),
        name: field(5, 'string'),
        kind: field(6, 'int32'),
        startTimeUnixNano: field(7, 'fixed64'),
        endTimeUnixNano: field(8, 'fixed64'),
        attributes: repeated(9, 'KeyValue'),
        events: repeated(11, 'Event'),
        links: repeated(13, 'Link'),
        status: field(15, 'Status'),
      },
    },
    Event: {
      fields: { timeUnixNano: field(1, 'fixed64'), name: field(2, 'string'), attributes: repeated(3, 'KeyValue') },
    },
    Link: {
      fields: {
        traceId: field(1, 'bytes'),
        spanId: field(2, 'bytes'),
        traceState: field(3, 'string'),
        attributes: repeated(4, 'KeyValue'),
      },
    },
    Status: { fields: { message: field(2, 'string'), code: field(3, 'int32') } },
    KeyValue: { fields: { key: field(1, 'string'), value: field(2, 'AnyValue') } },
    AnyValue: {
      oneofs: {
        value: {
          oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'],
        },
      },
      fields: {
        stringValue: field(1, 'string'),
        boolValue: field(2, 'bool'),
        intValue: field(3, 'int64'),
        doubleValue: field(4, 'double'),
        arrayValue: field(5, 'ArrayValue'),
        kvlistValue: field(6, 'KeyValueList'),
        bytesValue: field(7, 'bytes'),
      },
    },
    ArrayValue: { fields: { values: repeated(1, 'AnyValue') } },
    KeyValueList: { fields: { values: repeated(1, 'KeyValue') } },
    /** `google.rpc.Status`: what OTLP answers errors with. */
    RpcStatus: { fields: { code: field(1, 'int32'), message: field(2, 'string') } },
  },
};
