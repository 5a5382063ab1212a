import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { answerFirst, OpenApiParts } from '@hone/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { preflightHeaders } from '../edge/cors.js';
import { Exchange } from '../edge/exchange.js';
import { INFERENCE_OPENAPI } from '../edge/inference.openapi.js';
import { RequestDrain } from '../edge/request-drain.js';
import { methodNotAllowed, routeNotFound } from '../shared/errors/gateway-error.js';
import { SettingsStore } from '../shared/gateway-settings.js';
import { ChatCompletionsHandler } from './chat-completions/chat-completions.handler.js';
import { ModelsHandler } from './models/models.handler.js';

const CHAT = '/v1/chat/completions';
const CHAT_WITH_SLASH = `${CHAT}/`;
const MODELS = '/v1/models';
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Paths of controllers -> the methods that they handle. */
const CONTROLLED: Readonly<Record<string, readonly string[]>> = {
  '/v1/gateway': ['GET', 'HEAD'],
  '/v1/usage': ['GET', 'HEAD'],
  '/v1/usage/limits': ['GET', 'HEAD', 'PUT'],
};
/** Idle connections are closed after this time. */
const KEEP_ALIVE_MS = 75_000;

/**
 * The routes of the inference API, directly on Fastify: handlers write to the socket, and errors have the format of
 * OpenAI. A trailing slash is ignored.
 */
@Injectable()
export class InferenceRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly chat: ChatCompletionsHandler,
    private readonly models: ModelsHandler,
    private readonly drain: RequestDrain,
    private readonly settings: SettingsStore,
    private readonly documents: OpenApiParts,
  ) {}

  async onModuleInit(): Promise<void> {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    this.documents.add(INFERENCE_OPENAPI);
    fastify.server.keepAliveTimeout = KEEP_ALIVE_MS;
    await fastify.register(async (scope) => {
      // The handler reads the body itself, after it has authenticated the caller.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
      this.route(scope, CHAT, {
        POST: (exchange, request) => {
          request.hasOwnLogLine = true;
          return this.chat.handle(exchange);
        },
      });
      this.route(scope, MODELS, { GET: (exchange) => this.models.handle(exchange, null) });
      this.route(scope, `${MODELS}/*`, {
        GET: (exchange, request) => this.models.handle(exchange, (request.params as { '*': string })['*']),
      });
      this.route(scope, '/v1/*', {});
      // Other methods of these paths get an error in the format of this API.
      for (const [url, taken] of Object.entries(CONTROLLED)) {
        const method = ALL_METHODS.filter((one) => !taken.includes(one));
        const handler = async (request: FastifyRequest, reply: FastifyReply) =>
          this.exchange(request, reply).refuse(methodNotAllowed(taken));
        scope.route({ method, url, handler });
      }
    });
    this.bypass(fastify);
    fastify.answerUnroutable = (request, reply) => this.exchange(request, reply).refuse(routeNotFound());
  }

  /** Takes the response over from Fastify. */
  private exchange(request: FastifyRequest, reply: FastifyReply): Exchange {
    reply.hijack();
    return new Exchange(request.raw, reply.raw, request, this.settings.current.corsOrigins);
  }

  /**
   * Fast path: chat completions of cached callers bypass the framework, whose hooks, loggers and promises cost as much
   * as the rest of the request. All other requests take the usual route.
   */
  private bypass(fastify: FastifyInstance): void {
    answerFirst(fastify, CHAT, (request, response) => {
      const { method, url, socket, headers } = request;
      if (method !== 'POST' || (url !== CHAT && url !== CHAT_WITH_SLASH)) return null;
      const caller = this.chat.callerOf(request);
      if (caller === undefined) return null;
      const origin = { ip: socket.remoteAddress ?? '', sentContentType: headers['content-type'], log: fastify.log };
      const exchange = new Exchange(request, response, origin, this.settings.current.corsOrigins);
      return this.drain.run(exchange, () => this.chat.handle(exchange, caller));
    });
  }

  private route(
    scope: FastifyInstance,
    url: string,
    handlers: { [Method in 'GET' | 'POST']?: (exchange: Exchange, request: FastifyRequest) => Promise<void> },
  ): void {
    const allowed = Object.keys(handlers).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    if (allowed.length > 0) allowed.push('OPTIONS');
    scope.route({
      method: [...ALL_METHODS],
      url,
      exposeHeadRoute: false,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const exchange = this.exchange(request, reply);
        const method = request.method === 'HEAD' ? 'GET' : request.method;
        const handle = handlers[method as 'GET' | 'POST'];
        if (handle) await this.drain.run(exchange, () => handle(exchange, request));
        else if (allowed.length === 0) exchange.refuse(routeNotFound());
        else if (method === 'OPTIONS') answerPreflight(exchange, allowed);
        else exchange.refuse(methodNotAllowed(allowed));
      },
    });
  }
}

function answerPreflight(exchange: Exchange, allowed: readonly string[]): void {
  const asked = exchange.header('access-control-request-headers');
  exchange.sendEmpty(204, { allow: allowed.join(', '), ...preflightHeaders(exchange.headers, allowed, asked) });
}
