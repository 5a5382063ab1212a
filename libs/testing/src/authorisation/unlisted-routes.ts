import type { FastifyInstance, InjectOptions } from 'fastify';

/** Take no key in any service; the proxy publishes none of them, but for those that say why. */
const OPEN = new Set([
  ...['/healthz', '/readyz', '/metrics', '/openapi.json'],
  '/account/sessions/redeem', // the code is the credential
  '/account/sessions/status', // says of the cookie whose it is, or nobody's
  ...['/docs', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'],
  ...['/compat/weave/health', '/compat/weave/server_info'], // SDKs ask them first; they say the same to everybody
]);
const NOTHING_THERE = new Set(['route.not_found', 'route.method', 'not_found', 'method_not_allowed']);

/**
 * Routes that are neither listed nor refuse everybody, and listed ones that answer HEAD without credentials.
 *
 * @param listed `<METHOD> <path>`
 */
export async function openRoutesOf(fastify: FastifyInstance, listed: ReadonlySet<string>): Promise<string[]> {
  const open: string[] = [];
  for (const name of fastify.routeNames) {
    const [method, path] = name.split(' ') as [string, string];
    if (listed.has(name) || OPEN.has(path)) continue;
    const url = path.replace(/:\w+|\*/g, 'x');
    const { statusCode, body } = await fastify.inject({ method: method as InjectOptions['method'], url } as never);
    const isHeadOfListed = method === 'HEAD' && listed.has(`GET ${path}`);
    const isRefused = isHeadOfListed ? statusCode === 401 : isNothing(method, statusCode, body);
    if (!isRefused) open.push(name);
  }
  return open;
}

/** It is known to the router only in order to say that it is not there. */
function isNothing(method: string, status: number, body: string): boolean {
  if (method === 'OPTIONS' && status === 204) return true;
  if (status !== 404 && status !== 405) return false;
  if (method === 'HEAD') return true;
  const { code, error } = JSON.parse(body) as { code?: string; error?: { code?: string } };
  return NOTHING_THERE.has(code ?? error?.code ?? '');
}
