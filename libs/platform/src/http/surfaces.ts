import type { IncomingMessage } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { DiskState } from '../errors/disk-state.js';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * For a service that answers its routes under other paths, too: the path that a request is routed by. The one that the
     * client sent stays in `request.originalUrl`. Null: that one.
     */
    rewritePath: ((request: IncomingMessage) => string) | null;
    /** Where errors that met a full disk are noted. Null: before the application is configured. */
    disk: DiskState | null;
  }
  interface FastifyRequest {
    /** What was thrown instead of an answer, for hooks that answer errors in a form of their own. */
    failure: unknown;
  }
}

/** What a further surface of the same routes needs: it is added by hooks, and the handlers do not know of it. */
export function decorateSurfaces(fastify: FastifyInstance): void {
  fastify.decorate('rewritePath', null);
  fastify.decorate('disk', null);
  fastify.decorateRequest('failure', undefined);
}
