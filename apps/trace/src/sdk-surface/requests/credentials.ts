import type { IncomingHttpHeaders } from 'node:http';

import { SESSION_COOKIE, SESSION_HEADER, sessionTokenOf } from '@hone/auth';

/** Header of exporters of spans, which hold the key alone. */
const KEY_HEADER = 'wandb-api-key';
const BEARER = /^bearer +(\S+)$/i;

/** Puts the credentials of an SDK into the form that the guards take: Basic, for any user. */
export function useBasicCredentials(headers: IncomingHttpHeaders): void {
  const { authorization } = headers;
  const key = authorization === undefined ? headers[KEY_HEADER] : BEARER.exec(authorization.trim())?.[1];
  if (typeof key === 'string') headers.authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
}

/**
 * What proves the caller of a request that the guards let pass to the inference gateway: the same key as Bearer, or the
 * session of a browser, which all services take.
 */
export function gatewayCredentials(headers: IncomingHttpHeaders): Record<string, string> {
  const { authorization } = headers;
  return authorization === undefined ? sessionOf(headers) : { authorization: bearerOf(authorization) };
}

/** The same for this service itself. */
export function ownCredentials(headers: IncomingHttpHeaders): Record<string, string> {
  const { authorization } = headers;
  return authorization === undefined ? sessionOf(headers) : { authorization };
}

/** Only the session: other cookies of the browser are none of the services' business. */
function sessionOf(headers: IncomingHttpHeaders): Record<string, string> {
  const token = sessionTokenOf(headers);
  return token === undefined ? {} : { cookie: `${SESSION_COOKIE}=${token}`, [SESSION_HEADER]: '1' };
}

function bearerOf(basic: string): string {
  const credentials = Buffer.from(basic.trim().replace(/^basic +/i, ''), 'base64').toString('utf8');
  return `Bearer ${credentials.slice(credentials.indexOf(':') + 1)}`;
}
