import { createHash } from 'node:crypto';

import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { isJsonObject, RawJson, stringifyJson } from '@hone/contracts';
import { Database } from '@hone/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';

import { IdempotencyKeyInvalidError, IdempotencyKeyReusedError } from '../errors/platform.errors.js';
import { RequestBody } from '../http/request-body.js';
import { IdempotencyRepository, type IdempotencySlot } from './idempotency.repository.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the authenticated user; set by the guard. */
    callerId?: string;
  }
}

const MAX_PATH = 300;
const HASH_SLICE_BYTES = 1_048_576;
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * `Idempotency-Key` on a POST write: the write, and the record that it was made, commit together; a repetition gets
 * the stored answer with `Idempotent-Replayed: true`. Only 200 answers are kept.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly answers: IdempotencyRepository,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = request.headers['idempotency-key'];
    if (key === undefined) return next.handle();
    if (typeof key !== 'string' || !KEY.test(key)) throw new IdempotencyKeyInvalidError();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return from(this.#once(request, reply, key, next));
  }

  /** What beside user, route and key a stored answer belongs to: the project that the body names. */
  protected scopeOf(body: RequestBody): string {
    return projectOf(body.json());
  }

  async #once(request: FastifyRequest, reply: FastifyReply, key: string, next: CallHandler): Promise<RawJson> {
    const body = request.body as RequestBody;
    const slot: IdempotencySlot = {
      userId: request.callerId ?? '',
      route: routeOf(request),
      scope: this.scopeOf(body),
      key,
    };
    const bodyHash = await hashOf(body.bytes);
    return this.database.transaction(async () => {
      const stored = await this.answers.take(slot, bodyHash);
      if (stored) {
        if (!bodyHash.equals(stored.bodyHash)) throw new IdempotencyKeyReusedError(key);
        reply.header('idempotent-replayed', 'true');
        return new RawJson(stored.response);
      }
      const response = stringifyJson(await lastValueFrom(next.handle()));
      await this.answers.keep(slot, response);
      return new RawJson(response);
    });
  }
}

/** The same for routes whose path says it all; the body is not looked into. */
@Injectable()
export class PathIdempotencyInterceptor extends IdempotencyInterceptor {
  protected override scopeOf(): string {
    return '';
  }
}

/** Hashes a large body in pieces: other requests go on in between. */
async function hashOf(bytes: Buffer): Promise<Buffer> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASH_SLICE_BYTES) {
    if (at > 0) await new Promise(setImmediate);
    hash.update(bytes.subarray(at, at + HASH_SLICE_BYTES));
  }
  return hash.digest();
}

/** Method and path; of a long path only its hash, because the route is part of a key. */
function routeOf({ method, url }: FastifyRequest): string {
  const path = url.split('?', 1)[0] as string;
  return `${method} ${path.length > MAX_PATH ? createHash('sha256').update(path).digest('hex') : path}`;
}

/** The project that a body names: its own, or that of the first element of its batch. */
function projectOf(body: unknown): string {
  if (!isJsonObject(body)) return '';
  const first = Array.isArray(body['batch']) ? body['batch'][0] : body;
  const projectId = isJsonObject(first) ? first['project_id'] : undefined;
  return typeof projectId === 'string' ? projectId.slice(0, 300).replaceAll('\0', '') : '';
}

/**
 * The handler of a POST write honours `Idempotency-Key`. Not for reads, nor for answers that hold a secret.
 *
 * @param per whether one key may be used once for each project that a body names, or once for the path
 */
export const IdempotentByKey = (per: 'project' | 'path' = 'project'): MethodDecorator =>
  UseInterceptors(per === 'project' ? IdempotencyInterceptor : PathIdempotencyInterceptor);
