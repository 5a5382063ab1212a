import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

import { CallerStore } from '../http/caller-store.js';
import type { Exchange } from '../http/exchange.js';
import { Exchanges } from '../http/exchanges.js';
import { ChatPipeline } from './chat.pipeline.js';
import { CHAT_DOOR } from './chat-door.js';

const PATH = '/v1/chat/completions';
const PATH_WITH_SLASH = `${PATH}/`;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Takes chat completions of cached callers from the HTTP server before Fastify does, and passes them to the pipeline that
 * `chat.controller.ts` calls for all others. Without it, the router, hooks, loggers and promises of Fastify and Nest took
 * 35 % more processor time for a whole answer, and the gateway gave 24 % fewer answers a second (`npm run bench -- gateway
 * --only requests`, side by side, on 2026-11-28). Such a request passes no hook, guard or filter; the metrics of requests
 * have it all the same.
 */
@Injectable()
export class ChatFastPath implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly exchanges: Exchanges,
    private readonly callers: CallerStore,
    private readonly pipeline: ChatPipeline,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const { server } = fastify;
    const [framework] = server.listeners('request') as Listener[];
    if (!framework) throw new Error('The server has no listener of Fastify yet.');
    server.off('request', framework);
    server.on('request', (request, response) => {
      if (!this.takes(fastify, request, response)) framework.call(server, request, response);
    });
  }

  /** @returns false: Fastify is to answer the request */
  private takes(fastify: FastifyInstance, request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url, socket, headers } = request;
    if (method !== 'POST' || (url !== PATH && url !== PATH_WITH_SLASH)) return false;
    const startedMs = performance.now();
    const caller = this.callers.recall(request);
    if (caller === undefined) return false;
    const origin = { ip: socket.remoteAddress ?? '', sentContentType: headers['content-type'], log: fastify.log };
    const work = (exchange: Exchange) => this.pipeline.run(exchange, CHAT_DOOR, caller);
    void this.exchanges
      .streamRaw(request, response, origin, work)
      .then(() => fastify.recordRequest(method, PATH, response.statusCode, performance.now() - startedMs));
    return true;
  }
}
