import { isDatabaseFull, isDatabaseUnavailable, isStatementTimeout } from '@hone/database';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { DomainError, statusOf } from './domain-error.js';
import {
  DatabaseFullError,
  DatabaseUnavailableError,
  InternalError,
  QueryTimeoutError,
  RouteNotFoundError,
} from './platform.errors.js';
import { ValidationError } from './validation.error.js';

/** Fastify's codes for a path that cannot be decoded, and for one with a part longer than any name. */
const UNROUTABLE = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH']);

/** Every error of a service becomes an answer here and nowhere else. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent || isLeft(thrown, reply)) {
    // A stream broke off, or nobody is there: breaking the connection is the only honest end.
    reply.raw.destroy();
    return;
  }
  request.failure = thrown;
  // A route of lines has set its content type by now; an error is one JSON value.
  if (String(reply.getHeader('content-type')).startsWith('application/x-ndjson')) reply.removeHeader('content-type');
  if (thrown instanceof ValidationError) {
    void reply.status(422).send({ detail: thrown.issues });
    return;
  }
  const { answerUnroutable } = request.server;
  if (answerUnroutable && isUnroutable(thrown)) return answerUnroutable(request, reply);
  const error = toDomainError(thrown, request);
  if (error.kind === 'internal') request.log.error({ err: error.cause ?? error }, 'unexpected error');
  if (error.code === DatabaseFullError.code) {
    request.server.disk?.noteFull();
    request.log.error({ code: error.code, err: error.cause }, 'a write met a full disk');
  }
  // Some clients retry every 409: this one stays a 409.
  if (error.kind === 'conflict' && !error.headers['retry-after']) void reply.header('x-should-retry', 'false');
  void reply.status(statusOf(error.kind)).headers(error.headers).send(error.body);
}

/** Work for a caller who has left was given up. */
const isLeft = (thrown: unknown, reply: FastifyReply): boolean =>
  reply.raw.destroyed && thrown instanceof Error && thrown.name === 'AbortError';

const isUnroutable = (thrown: unknown): boolean => UNROUTABLE.has((thrown as { code?: string }).code ?? '');

function toDomainError(thrown: unknown, request: FastifyRequest): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (isStatementTimeout(thrown)) return new QueryTimeoutError(thrown);
  if (isDatabaseFull(thrown)) return new DatabaseFullError(thrown);
  if (isDatabaseUnavailable(thrown)) return new DatabaseUnavailableError(thrown);
  if (thrown instanceof HttpException && thrown.getStatus() === 404) return request.server.routeError(request);
  if (isUnroutable(thrown)) return new RouteNotFoundError();
  return new InternalError(request.id, thrown);
}
