import type { IncomingHttpHeaders } from 'node:http';

/** Header of exporters of spans, which hold the key alone. */
const KEY_HEADER = 'wandb-api-key';
const BEARER = /^bearer +(\S+)$/i;

/** Puts the credentials of an SDK into the form that the guards take: Basic, for any user. */
export function useBasicCredentials(headers: IncomingHttpHeaders): void {
  const { authorization } = headers;
  const key = authorization === undefined ? headers[KEY_HEADER] : BEARER.exec(authorization.trim())?.[1];
  if (typeof key === 'string') headers.authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
}

/** The same key as the other services take it. @param basic of a request that the guards let pass */
export function bearerOf(basic: string): string {
  const credentials = Buffer.from(basic.trim().replace(/^basic +/i, ''), 'base64').toString('utf8');
  return `Bearer ${credentials.slice(credentials.indexOf(':') + 1)}`;
}
