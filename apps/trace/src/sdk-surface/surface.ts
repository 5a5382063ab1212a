import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { parseJsonBytes } from '@hone/contracts';
import { RequestBody } from '@hone/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { toSdkError } from './answers/error-answers.js';
import { mendAnswer } from './answers/mended-answers.js';
import { REBUILT } from './answers/rebuilt-answers.js';
import { toSdkAnswer } from './answers/sdk-answer.js';
import { isSignal, pathBelow, routedPath } from './paths.js';
import { useBasicCredentials } from './requests/credentials.js';
import { toOwnQuery } from './requests/own-query.js';
import { translationOf } from './requests/translation.task.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Path below the surface by which an SDK asked, for example `/call/start`; undefined: a canonical request. */
    sdkPath: string | undefined;
  }
}

export interface SurfaceOptions {
  isOn: boolean;
  refScheme: string;
}

const JSON_ANSWER = /^application\/(?:json|x-ndjson)\b/;
const RETRY_ID = 'x-weave-retry-id';
const MAX_RETRY_ID = 1_024;

/**
 * The SDK surface, as hooks around the routes of the canonical one: a request is routed, and its body read, under our
 * names; its answer leaves under the SDKs'. Nothing in between knows of it.
 */
export function addSdkSurface(fastify: FastifyInstance, options: SurfaceOptions): void {
  fastify.rewritePath = ({ url = '/' }) => routedPath(url, options.isOn);
  fastify.decorateRequest('sdkPath', undefined);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const path = pathBelow(request.originalUrl);
    if (path !== undefined && options.isOn) {
      request.sdkPath = path;
      useBasicCredentials(request.headers);
    }
    done();
  });
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (request.sdkPath !== undefined && !isSignal(request.sdkPath)) translateRequest(request, options);
    done();
  });
  // With a callback: canonical answers pass without a promise.
  fastify.addHook<Payload>('onSend', (request, reply, payload, done) => {
    const { sdkPath } = request;
    if (sdkPath === undefined || isSignal(sdkPath)) return done(null, payload);
    translateAnswer(request, reply, payload, options).then(
      (answer) => done(null, answer),
      (error: Error) => done(error),
    );
  });
}

function translateRequest(request: FastifyRequest, { refScheme }: SurfaceOptions): void {
  request.query = toOwnQuery(request.query as Record<string, string>);
  const { body } = request;
  if (!(body instanceof RequestBody)) return;
  const retryId = request.headers[RETRY_ID];
  if (typeof retryId === 'string' && !body.isUnreadable) useRetryId(request, retryId, body.bytes);
  if (request.method === 'DELETE' && takeDigests(request, body)) return;
  request.body = body.translatedBy(translationOf(request, refScheme));
}

/** One retry id may cover several requests: it stands for one write only together with the body. */
function useRetryId({ headers }: FastifyRequest, retryId: string, bytes: Buffer): void {
  const hash = createHash('sha256').update(retryId.slice(0, MAX_RETRY_ID)).update('\0').update(bytes);
  headers['idempotency-key'] = `retry-${hash.digest('base64url')}`;
}

/** Versions to delete, as a list in the body. @returns whether the body was one */
function takeDigests(request: FastifyRequest, body: RequestBody): boolean {
  if (body.isUnreadable || body.bytes.length === 0 || body.bytes.length > 65_536) return false;
  try {
    const digests = parseJsonBytes(body.bytes);
    if (!Array.isArray(digests) || !digests.every((digest) => typeof digest === 'string')) return false;
    request.query = { ...(request.query as object), digests };
    request.body = new RequestBody(Buffer.alloc(0), undefined);
    return true;
  } catch {
    return false; // the handler says what is wrong
  }
}

type Payload = string | Buffer | Readable | null | undefined;

async function translateAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
  { refScheme }: SurfaceOptions,
): Promise<Payload> {
  if (payload === null || payload === undefined) return payload;
  if (reply.statusCode >= 400) {
    const text = payload instanceof Readable ? '' : payload.toString();
    const { failure: thrown, params } = request;
    const failure = { status: reply.statusCode, text, thrown, params: params as Record<string, string> };
    const answer = (await mendAnswer(request, failure)) ?? toSdkError(failure);
    reply.status(answer.status).removeHeader('www-authenticate').removeHeader('x-should-retry');
    reply.header('content-type', 'application/json; charset=utf-8');
    return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  }
  if (!JSON_ANSWER.test(String(reply.getHeader('content-type') ?? 'application/json'))) return payload;
  const path = request.sdkPath as string;
  const rebuild = REBUILT.get(path);
  if (rebuild && !(payload instanceof Readable))
    return JSON.stringify(rebuild(JSON.parse(payload.toString()) as never));
  return toSdkAnswer(payload, refScheme, path);
}
