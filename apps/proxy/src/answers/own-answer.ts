import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The client's `X-Request-Id` when it is 1..128 visible ASCII characters, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** An answer that the proxy gives itself. */
export interface OwnAnswer {
  status: number;
  body: string | Buffer;
  type?: string;
  headers?: Record<string, string>;
}

export const jsonAnswer = (status: number, body: unknown, headers?: Record<string, string>): OwnAnswer => ({
  status,
  body: JSON.stringify(body),
  ...(headers && { headers }),
});

export const NOT_FOUND = jsonAnswer(404, { detail: 'There is nothing at this path.', code: 'route.not_found' });

export const methodNotAllowed = (method: string): OwnAnswer =>
  jsonAnswer(
    405,
    { detail: `This path does not take ${method}; it takes GET, HEAD.`, code: 'route.method' },
    { allow: 'GET, HEAD' },
  );

/** No replica of the service takes requests; this one was not processed. */
export const unavailable = (service: string): OwnAnswer =>
  jsonAnswer(
    503,
    { detail: `The service '${service}' is not available.`, code: 'service.unavailable' },
    { 'retry-after': '1' },
  );

/** The service accepted the request and broke the connection; it may have processed the request. */
export const brokenOff = (service: string): OwnAnswer =>
  jsonAnswer(502, {
    detail: `The service '${service}' broke off before it answered; the request may have been processed.`,
    code: 'service.broken_off',
  });

export const timedOut = (service: string): OwnAnswer =>
  jsonAnswer(504, { detail: `The service '${service}' did not answer in time.`, code: 'service.timeout' });

/** It could be read, but a header or the path has characters that must not be passed on. */
export const MALFORMED = jsonAnswer(400, { detail: 'The request is malformed.', code: 'request.malformed' });

export const STOPPING = jsonAnswer(
  503,
  { detail: 'The server is stopping.', code: 'service.unavailable' },
  { 'retry-after': '1' },
);

export function sendAnswer(response: ServerResponse, requestId: string, answer: OwnAnswer): void {
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, {
    'content-type': answer.type ?? 'application/json; charset=utf-8',
    'content-length': body.length,
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  });
  response.end(body);
}
