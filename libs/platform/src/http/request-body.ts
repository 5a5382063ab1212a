import type { Readable } from 'node:stream';

import {
  type Class,
  type Issue,
  type JsonLimits,
  JsonParseError,
  type JsonValue,
  parseJsonBytes,
} from '@hone/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { BodyTooLargeError, EncodingUnsupportedError } from '../errors/platform.errors.js';
import { ValidationError } from '../errors/validation.error.js';
import type { BodyTranslation } from './body-translation.js';
import { sendContinue } from './expect-continue.js';
import { BodyReadError, codingOf, type ContentCoding, readBody } from './read-body.js';
import { ACCEPTED_CODINGS, streamBody } from './streamed-body.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The content type as the client sent it. */
    sentContentType: string | undefined;
  }
  interface FastifyContextConfig {
    /** How bodies of the route arrive; see `@TakesLargeBody()`, `@TakesStreamedBody()` and `@LeavesBodyUnread()`. */
    body?: 'large' | 'streamed' | 'unread';
    /** Content codings of the route's bodies, where they are others than usual; see `@TakesRawBody()`. */
    codings?: readonly ContentCoding[];
  }
}

const JSON_TYPE = /^(application\/json|[^\s;/]+\/[^\s;/]+\+json)\s*(;|$)/i;

/**
 * A request body as it arrived, not yet looked into. Reading never fails a request by itself: what is wrong (too
 * large, not gzip, not JSON) is thrown by {@link json} and {@link bytes}, which run after the guards, so that a
 * caller without credentials learns nothing but that.
 */
export class RequestBody {
  /** What the handler gets, when a thread has parsed and checked the body already. */
  checked: object | undefined;
  private parsed: JsonValue | undefined;
  private ownTranslation: BodyTranslation | undefined;

  constructor(
    private readonly content: Buffer,
    private readonly contentType: string | undefined,
    private readonly failure?: Error,
  ) {}

  /** Undefined: it was sent on the surface of the handlers. */
  get translation(): BodyTranslation | undefined {
    return this.ownTranslation;
  }

  /** {@link bytes} throws. */
  get isUnreadable(): boolean {
    return this.failure !== undefined;
  }

  /** There is none. False: there is one, though it may be unreadable. */
  get isEmpty(): boolean {
    return !this.isUnreadable && this.content.length === 0;
  }

  /** @throws BodyTooLargeError, EncodingUnsupportedError, ValidationError (broken gzip) */
  get bytes(): Buffer {
    if (this.failure) throw this.failure;
    return this.content;
  }

  /** The same body for a surface whose clients send it in another form. */
  translatedBy(translation: BodyTranslation): RequestBody {
    const body = new RequestBody(this.content, this.contentType, this.failure);
    body.ownTranslation = translation;
    return body;
  }

  /** What a handler whose body is of this class gets. @throws what {@link json} throws, and the translation */
  jsonFor(type: Class, limits?: JsonLimits): JsonValue {
    const value = this.json(limits);
    return this.ownTranslation ? this.ownTranslation.translate(value, type) : value;
  }

  /** As the client sent it. @throws what {@link jsonBytes} throws, and ValidationError: bad JSON */
  json(limits?: JsonLimits): JsonValue {
    return (this.parsed ??= this.parse(limits));
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

  private parse(limits?: JsonLimits): JsonValue {
    try {
      return parseJsonBytes(this.jsonBytes, this.ownTranslation?.limits ?? limits);
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
    const { body, codings = ACCEPTED_CODINGS } = request.routeOptions.config;
    if (body === 'unread') return undefined;
    const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    const limitBytes = body === 'large' ? largeBodyLimitBytes : bodyLimitBytes;
    if (request.headers.expect !== undefined && body !== 'streamed' && declaredBytes(request) > limitBytes) {
      // The client waits to be asked for its body: it is not.
      return new RequestBody(EMPTY, request.sentContentType, new BodyTooLargeError(limitBytes));
    }
    sendContinue(request.raw);
    if (body === 'streamed') return streamBody(payload, encoding, request.sentContentType);
    const { content, failure } = await collect(payload, encoding, codings, limitBytes);
    return new RequestBody(content, request.sentContentType, failure);
  });
}

const declaredBytes = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

interface Collected {
  content: Buffer;
  failure?: Error;
}

const EMPTY = Buffer.alloc(0);

/** What is wrong with a body becomes its `failure`. @throws BodyReadError the client left */
async function collect(
  payload: Readable,
  encoding: string,
  codings: readonly ContentCoding[],
  maxBytes: number,
): Promise<Collected> {
  const coding = codingOf(encoding, codings);
  if (coding === null) {
    payload.resume();
    return { content: EMPTY, failure: new EncodingUnsupportedError(encoding) };
  }
  try {
    return { content: await readBody(payload, { coding, maxBytes }) };
  } catch (error) {
    const reason = error instanceof BodyReadError ? error.reason : null;
    if (reason === 'too_large') return { content: EMPTY, failure: new BodyTooLargeError(maxBytes) };
    if (reason !== 'corrupt') throw error;
    const issue: Issue = { loc: ['body', 0], msg: 'JSON decode error', type: 'json_invalid' };
    return { content: EMPTY, failure: new ValidationError([issue]) };
  }
}
