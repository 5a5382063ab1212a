import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Exchanges } from './exchanges.js';
import { MethodNotTakenError, PathNotFoundError } from './http.errors.js';

/** Idle connections are closed after this time. */
const KEEP_ALIVE_MS = 75_000;
/** Paths of the inference API. */
const INFERENCE = /^\/v1\/./;

/**
 * Settings of the HTTP server. Requests that no controller takes get an error in the format of the inference API, as soon
 * as their head is read: their body is not.
 */
@Injectable()
export class InferenceServer implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly exchanges: Exchanges,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.server.keepAliveTimeout = KEEP_ALIVE_MS;
    fastify.addHook('onRequest', (request, reply, done) => {
      if (request.is404 && INFERENCE.test(request.url)) this.exchanges.refuse(request, reply, unrouted(request));
      else done();
    });
    fastify.answerUnroutable = (request, reply) => this.exchanges.refuse(request, reply, new PathNotFoundError());
  }
}

/** Why no route takes a request: its path, or only its method. */
function unrouted(request: FastifyRequest): Error {
  const { allow } = request.server.routeError(request).headers;
  return allow === undefined ? new PathNotFoundError() : new MethodNotTakenError(allow);
}
