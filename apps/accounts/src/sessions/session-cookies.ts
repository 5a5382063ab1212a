import { SESSION_COOKIE, SESSION_MS } from '@hone/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Scripts cannot read it, other sites cannot have it sent, and behind TLS it never goes without. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';

/** Signs the browser in. It keeps the cookie for longer than an unused session lasts: the server decides. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  setCookie(request, reply, token, (30 * SESSION_MS) / 1_000);
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(request, reply, '', 0);
}

function setCookie({ protocol }: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
  const secure = protocol === 'https' ? '; Secure' : '';
  void reply.header('set-cookie', `${SESSION_COOKIE}=${value}; ${ATTRIBUTES}; Max-Age=${seconds}${secure}`);
  void reply.header('cache-control', 'no-store');
}
