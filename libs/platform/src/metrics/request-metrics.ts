import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';

import { FastHistogram } from './fast-histogram.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Metrics of this service, as `/metrics` prints them. */
    metrics: Registry;
    /** Counts a request that was answered; hooks do it for all that come through Fastify. */
    recordRequest(method: string, route: string, status: number, ms: number): void;
  }

  interface FastifyRequest {
    /** The service logs this request with a line of its own. */
    hasOwnLogLine: boolean;
  }
}

const UNLOGGED = new Set(['/healthz', '/readyz', '/metrics']);

/** One log line and one histogram sample per answered request, by route pattern: ids, statuses, durations, no content. */
export function recordRequests(fastify: FastifyInstance): void {
  const registry = new Registry();
  const duration = new FastHistogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registry,
  });
  fastify.decorate('metrics', registry);
  fastify.decorate('recordRequest', (method, route, status, ms) =>
    duration.observe(ms / 1_000, method, route, String(status)),
  );
  fastify.decorateRequest('hasOwnLogLine', false);
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    fastify.recordRequest(request.method, route, reply.statusCode, reply.elapsedTime);
    if (!UNLOGGED.has(route) && !request.hasOwnLogLine) {
      request.log.info(
        { req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 },
        'answered',
      );
    }
    done();
  });
}
