import type { Readable } from 'node:stream';

import type { RawJson } from '@hone/contracts';
import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

/** Content type of an answer with one JSON value per line. */
export const JSON_LINES = 'application/x-ndjson; charset=utf-8';

/** An answer with one JSON value per line. A client that gets the trailers has all of it. */
export class LinesAnswer {
  constructor(
    readonly body: RawJson | Readable,
    /** Name -> value, known once the body was read to its end. */
    readonly trailers: Readonly<Record<string, () => number>>,
  ) {}
}

/** Sends what a handler returns as a {@link LinesAnswer} with its content type and trailers. */
@Injectable()
export class LinesInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next
      .handle()
      .pipe(map((answer: unknown) => (answer instanceof LinesAnswer ? prepare(reply, answer) : answer)));
  }
}

function prepare(reply: FastifyReply, { body, trailers }: LinesAnswer): RawJson | Readable {
  void reply.header('content-type', JSON_LINES);
  for (const [name, value] of Object.entries(trailers))
    void reply.trailer(name, (_reply, _payload, done) => done(null, String(value())));
  return body;
}

/** Whether the client asks for an answer with one record per line. */
export const AsLines = createParamDecorator((_data: unknown, context: ExecutionContext): boolean =>
  asksForLines(context.switchToHttp().getRequest<FastifyRequest>().headers.accept ?? ''),
);

/** @param accept the header `Accept` */
export const asksForLines = (accept: string): boolean =>
  accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(
      ([type, ...parameters]) => type === 'application/x-ndjson' && !parameters.some((one) => /^q=0(\.0*)?$/.test(one)),
    );
