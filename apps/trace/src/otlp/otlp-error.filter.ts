import { sendError } from '@hone/platform';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { encodeStatus } from './otlp-protobuf.js';

export const PROTOBUF = 'application/x-protobuf';

export const isProtobuf = ({ sentContentType }: FastifyRequest): boolean =>
  /^application\/(x-)?protobuf\s*(;|$)/i.test(sentContentType ?? '');

/** HTTP status -> code of `google.rpc.Code`. Any other one is "internal". */
const RPC_CODES: Record<number, number> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  409: 10,
  413: 3,
  415: 3,
  422: 3,
  429: 8,
  503: 14,
};
const RPC_INTERNAL = 13;

/** Who sends protobuf is answered in protobuf: errors as `google.rpc.Status`, as OTLP asks. */
@Catch()
export class OtlpErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    if (isProtobuf(request) && !reply.sent) {
      reply.header('content-type', PROTOBUF);
      const encode = (error: unknown) => encodeStatus(RPC_CODES[reply.statusCode] ?? RPC_INTERNAL, messageOf(error));
      reply.serializer(encode as unknown as () => string); // bytes are sent as they are
    }
    sendError(thrown, request, reply);
  }
}

function messageOf(error: unknown): string {
  const { detail } = error as { detail: string | { loc: unknown[]; msg: string }[] };
  return typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}
