import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { JsonParseError, parseJsonBytes, type JsonValue } from '@hone/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { BodyTooLargeError, EncodingUnsupportedError } from '../errors/platform.errors.js';
import { ValidationError } from '../errors/validation.error.js';
import { isKnownEncoding, streamBody } from './streamed-body.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The content type as the client sent it. */
    sentContentType: string | undefined;
  }
  interface FastifyContextConfig {
    /** How bodies of the route arrive; see `@TakesLargeBody()` and `@TakesStreamedBody()`. */
    body?: 'large' | 'streamed';
  }
}

const JSON_TYPE = /^(application\/json|[^\s;/]+\/[^\s;/]+\+json)\s*(;|$)/i;

/**
 * A request body as it arrived, not yet looked into. Reading never fails a request by itself: what is wrong (too
 * large, not gzip, not JSON) is thrown by {@link json} and {@link bytes}, which run after the guards, so that a
 * caller without credentials learns nothing but that.
 */
export class RequestBody {
  #parsed: JsonValue | undefined;

  constructor(
    private readonly content: Buffer,
    private readonly contentType: string | undefined,
    private readonly failure?: Error,
  ) {}

  /** @throws BodyTooLargeError, EncodingUnsupportedError, ValidationError (broken gzip) */
  get bytes(): Buffer {
    if (this.failure) throw this.failure;
    return this.content;
  }

  /** @throws what {@link jsonBytes} throws, and ValidationError: bad JSON */
  json(): JsonValue {
    return (this.#parsed ??= this.#parse());
  }

  /**
   * What claims to be JSON, not yet parsed.
   *
   * @throws what {@link bytes} throws, and ValidationError: another content type, no body
   */
  get jsonBytes(): Buffer {
    const bytes = this.bytes;
    if (bytes.length === 0) throw new ValidationError([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
    if (this.contentType && !JSON_TYPE.test(this.contentType)) {
      const msg = 'The content type should be application/json';
      throw new ValidationError([{ loc: ['body'], msg, type: 'value_error' }]);
    }
    return bytes;
  }

  #parse(): JsonValue {
    try {
      return parseJsonBytes(this.jsonBytes);
    } catch (error) {
      if (error instanceof JsonParseError) throw new ValidationError([error.toIssue(['body'])]);
      throw error;
    }
  }
}

/** Most bytes of an unpacked body: of most routes, and of those that take large ones. */
export interface BodyLimits {
  bodyLimitBytes: number;
  largeBodyLimitBytes?: number;
}

/** Collects every body, whatever its type, up to its limit, and hands it on as a {@link RequestBody}. */
export function collectBodies(fastify: FastifyInstance, limits: BodyLimits): void {
  const { bodyLimitBytes, largeBodyLimitBytes = bodyLimitBytes } = limits;
  fastify.decorateRequest('sentContentType', undefined);
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Fastify refuses a malformed content type before the guards run: it sees a good one, the body keeps the real one.
    request.sentContentType = request.headers['content-type'];
    request.headers['content-type'] = 'application/json';
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    if (request.routeOptions.config.body === 'streamed') return streamBody(payload, encoding, request.sentContentType);
    const limitBytes = request.routeOptions.config.body === 'large' ? largeBodyLimitBytes : bodyLimitBytes;
    const { content, failure } = await collect(payload, encoding, limitBytes);
    return new RequestBody(content, request.sentContentType, failure);
  });
}

interface Collected {
  content: Buffer;
  failure?: Error;
}

const NOTHING = Buffer.alloc(0);

async function collect(payload: Readable, encoding: string, limitBytes: number): Promise<Collected> {
  if (!isKnownEncoding(encoding)) {
    payload.resume();
    return { content: NOTHING, failure: new EncodingUnsupportedError(encoding) };
  }
  const source = encoding === 'identity' ? payload : payload.pipe(createGunzip());
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) {
        payload.unpipe();
        if (source !== payload) source.destroy();
        payload.resume(); // what still comes is read and dropped, so that the client gets to read the answer
        return { content: NOTHING, failure: new BodyTooLargeError(limitBytes) };
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (source === payload) throw error; // the client closed the connection
    payload.unpipe();
    payload.resume();
    return {
      content: NOTHING,
      failure: new ValidationError([{ loc: ['body', 0], msg: 'JSON decode error', type: 'json_invalid' }]),
    };
  }
  return { content: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size) };
}
