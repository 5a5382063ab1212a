import { DomainError, RequestBody } from '@hone/platform';
import type { FastifyRequest } from 'fastify';

import type { ErrorAnswer, Failure } from './error-answers.js';

type Mended = Omit<ErrorAnswer, 'body'> & { body: object | string };

/** What a table that is not there holds, by route. */
const EMPTY_TABLES: Readonly<Record<string, object | string>> = {
  '/table/query': { rows: [] },
  '/table/query_stream': '',
  '/table/query_stats': { count: 0 },
};

/** An error that the SDKs do not expect where they expect an answer. @returns null: it stays an error */
export async function mendAnswer(request: FastifyRequest, { thrown }: Failure): Promise<Mended | null> {
  const code = thrown instanceof DomainError ? thrown.code : '';
  const path = request.sdkPath as string;
  if (code === 'table.not_found' || code === 'project.not_found') {
    const body = EMPTY_TABLES[path];
    if (body !== undefined) return { status: 200, body };
  }
  if (path === '/feedback/replace' && (code === 'feedback.not_found' || code === 'project.not_found'))
    return createInstead(request);
  return null;
}

/** Feedback that should replace what is not there is created. */
async function createInstead(request: FastifyRequest): Promise<Mended | null> {
  const { body, headers, server, originalUrl } = request;
  if (!(body instanceof RequestBody)) return null;
  const { 'content-length': _length, 'content-encoding': _encoding, 'idempotency-key': _key, ...kept } = headers;
  const url = originalUrl.replace('/feedback/replace', '/feedback/create');
  const { statusCode, body: text } = await server.inject({ method: 'POST', url, headers: kept, payload: body.bytes });
  return { status: statusCode, body: text };
}
