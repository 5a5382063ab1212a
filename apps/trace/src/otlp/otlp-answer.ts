import type { FastifyReply, FastifyRequest } from 'fastify';

import { isProtobuf, PROTOBUF } from './otlp-error.filter.js';
import { encodeResponse, type ResponseName } from './otlp-protobuf.js';
import type { Rejected } from './rejections.js';

/** Response -> its field that counts what was not stored. */
const COUNTS = {
  ExportTraceServiceResponse: 'rejectedSpans',
  ExportLogsServiceResponse: 'rejectedLogRecords',
  ExportMetricsServiceResponse: 'rejectedDataPoints',
} as const satisfies Record<ResponseName, string>;

/** The answer to an exporter, in the form that it sent. */
export function toAnswer<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  name: ResponseName,
  rejected: Rejected = null,
): T | Buffer {
  if (isProtobuf(request)) {
    reply.header('content-type', PROTOBUF);
    return encodeResponse(name, rejected && { [COUNTS[name]]: rejected.count, errorMessage: rejected.errorMessage });
  }
  // OTLP's JSON writes integers of 64 bits as text.
  const { count, errorMessage } = rejected ?? { count: 0, errorMessage: '' };
  return (rejected ? { partialSuccess: { [COUNTS[name]]: String(count), errorMessage } } : {}) as T;
}
