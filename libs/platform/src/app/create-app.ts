import 'reflect-metadata';

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { stringifyJson } from '@hone/contracts';
import type { DynamicModule, NestApplicationOptions, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';

import type { AppOptions } from '../config/app-options.js';
import { DiskState } from '../errors/disk-state.js';
import { ErrorFilter, sendError } from '../errors/error.filter.js';
import { ContractPipe } from '../http/contract.pipe.js';
import { continueOnDemand } from '../http/expect-continue.js';
import { collectBodies } from '../http/request-body.js';
import { decorateRouteErrors } from '../http/route-errors.js';
import { decorateSurfaces } from '../http/surfaces.js';
import { refuseUnreadable } from '../http/unreadable-requests.js';
import { trackUnusedConnections } from '../http/unused-connections.js';
import { toLoggedError } from '../logging/logged-error.js';
import { ServiceLog } from '../logging/service-log.js';
import { recordRequests } from '../metrics/request-metrics.js';
import { serveOpenApi } from '../openapi/openapi.js';
import { PlatformModule } from '../platform.module.js';

const CLOSE_IDLE_MS = 50;
/** A client has this long to send the headers of a request, and is disconnected at the next check. */
const HEADERS_MS = 10_000;
const CHECK_MS = 1_000;
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** All that makes the Nest application of a service, but the step that creates it from its modules. */
export interface AppParts {
  /** The service's module, wrapped in the platform's. */
  root: DynamicModule;
  adapter: FastifyAdapter;
  settings: NestApplicationOptions;
  /** Adds pipes, filters, interceptors and the OpenAPI document. Called before `init`. */
  configure: (app: NestFastifyApplication) => void;
}

/** Makes the Nest application of a service as it runs in production. Errors of the start are thrown, and logged once. */
export async function createApp(module: Type | DynamicModule, options: AppOptions): Promise<NestFastifyApplication> {
  const { root, adapter, settings, configure } = appParts(module, options);
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, settings);
  configure(app);
  return app;
}

/** Production and tests create the application in ways of their own, and share every setting through these parts. */
export function appParts(module: Type | DynamicModule, options: AppOptions): AppParts {
  const adapter = createAdapter(options);
  return {
    root: PlatformModule.wrap(module, options),
    adapter,
    settings: { bodyParser: false, logger: ['fatal'], abortOnError: false },
    configure: (app) => {
      const fastify = adapter.getInstance() as unknown as FastifyInstance;
      app.useLogger(new ServiceLog(fastify.log));
      app.useGlobalPipes(new ContractPipe());
      app.useGlobalFilters(new ErrorFilter());
      fastify.disk = app.get(DiskState);
      serveOpenApi(app, options);
    },
  };
}

function createAdapter(options: AppOptions): FastifyAdapter {
  const { config } = options;
  const adapter = new FastifyAdapter({
    logger: {
      level: config.logLevel,
      ...(options.logStream && { stream: options.logStream }),
      name: options.name,
      serializers: { req: logRequest, err: (error: unknown) => ({ ...toLoggedError(error) }) },
      formatters: { bindings: () => ({ service: options.name }) },
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: Number.MAX_SAFE_INTEGER, // the real limit is applied after the guards: request-body.ts
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: true },
    trustProxy: ['loopback', ...config.trustedProxies],
    genReqId: requestId,
    forceCloseConnections: 'idle',
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS },
    rewriteUrl: (request: IncomingMessage) => fastify.rewritePath?.(request) ?? (request.url as string),
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: ((error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendError(error, request, reply)) as never,
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  decorateSurfaces(fastify);
  continueOnDemand(fastify.server);
  decorateRouteErrors(fastify);
  collectBodies(fastify, config);
  fastify.setReplySerializer((payload) => stringifyJson(payload));
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });
  const closeUnused = trackUnusedConnections(fastify.server);
  fastify.addHook('preClose', async () => {
    // A connection whose request ends during the stop would else stay open, idle, and hold the stop up.
    const close = () => {
      fastify.server.closeIdleConnections();
      closeUnused();
    };
    const timer = setInterval(close, CLOSE_IDLE_MS).unref();
    fastify.server.once('close', () => clearInterval(timer));
  });
  recordRequests(fastify);
  return adapter;
}

/** The client's `X-Request-Id` when it is 1..128 visible ASCII characters, else a new one. */
function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** Method and path without its query: values are never logged. */
const logRequest = (request: FastifyRequest) => ({
  id: request.id,
  method: request.method,
  path: request.url?.split('?', 1)[0],
});
