import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';

import type { DomainError } from '../errors/domain-error.js';
import { MethodNotAllowedError, RouteNotFoundError } from '../errors/platform.errors.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Why no route took this request: unknown path, or another method. */
    routeError(request: FastifyRequest): DomainError;
    /** Every route there is, `<METHOD> <path>` with `:parameters`. */
    readonly routeNames: ReadonlySet<string>;
    /** Answers a path that cannot be decoded, for a service whose errors have a form of their own. Null: as any error. */
    answerUnroutable: ((request: FastifyRequest, reply: FastifyReply) => void) | null;
  }
}

/** Remembers every route as it is added, so that a known path with another method is a 405 and not a 404. */
export function decorateRouteErrors(fastify: FastifyInstance): void {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 2_048 });
  const methods = new Set<HTTPMethods>();
  const names = new Set<string>();
  fastify.decorate('routeNames', names);
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) {
      methods.add(one);
      names.add(`${one} ${url}`);
      if (url !== '*' && !router.hasRoute(one as HTTPMethod, url)) router.on(one as HTTPMethod, url, () => undefined);
    }
  });
  fastify.decorate('answerUnroutable', null);
  fastify.decorate('routeError', (request: FastifyRequest) => {
    const path = request.url.split('?', 1)[0] as string;
    const allowed = [...methods].filter((method) => isRoute(router, method, path));
    return allowed.length ? new MethodNotAllowedError(request.method, allowed) : new RouteNotFoundError();
  });
}

function isRoute(router: ReturnType<typeof findMyWay>, method: HTTPMethods, path: string): boolean {
  try {
    const found = router.find(method as HTTPMethod, path);
    // The framework takes no empty part of a path for a parameter; this router alone does.
    return found !== null && Object.entries(found.params).every(([name, value]) => name === '*' || value !== '');
  } catch {
    return false; // not a decodable path
  }
}
