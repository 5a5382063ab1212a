import { createHash } from 'node:crypto';

import { RawJson, stringifyJson } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { IdempotencyKeyInvalidError, IdempotencyKeyReusedError } from '../errors/platform.errors.js';
import { IdempotencyRepository, type IdempotencySlot } from './idempotency.repository.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the authenticated user; set by the guard. */
    callerId?: string;
  }
}

const MAX_PATH = 300;
const KEY = /^[\x21-\x7e]{1,255}$/;

/** What is to be done once for each `Idempotency-Key`. */
export interface KeyedWrite {
  key: string;
  /** Of the body: the key answers for this one alone. */
  bodyHash: Buffer;
  /** What beside user, route and key the answer belongs to. */
  scope: string;
}

/**
 * Writes that are made once however often they are asked for with one `Idempotency-Key`.
 *
 * Ours: a repetition is answered whatever became of the caller's roles since. The answer repeats to its author what was
 * answered before, or lost on the way, and holds no secret; a 403 would leave open whether the write was made. A revoked key is refused
 * before, and whatever the answer names is read with the roles of today.
 */
@Injectable()
export class IdempotentWrites {
  constructor(
    private readonly database: Database,
    private readonly answers: IdempotencyRepository,
  ) {}

  /** The request's key; undefined when it has none. @throws IdempotencyKeyInvalidError */
  keyOf(request: FastifyRequest): string | undefined {
    const key = request.headers['idempotency-key'];
    if (key !== undefined && (typeof key !== 'string' || !KEY.test(key))) throw new IdempotencyKeyInvalidError();
    return key;
  }

  /**
   * Does the work and stores its answer in one transaction, or finds the answer that was stored before.
   *
   * @throws IdempotencyKeyReusedError, IdempotencyInProgressError
   */
  async once(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, bodyHash, scope }: KeyedWrite,
    work: () => Promise<unknown>,
  ): Promise<RawJson> {
    const slot: IdempotencySlot = { userId: request.callerId ?? '', route: routeOf(request), scope, key };
    return this.database.transaction(async () => {
      const stored = await this.answers.take(slot, bodyHash);
      if (stored) {
        if (!bodyHash.equals(stored.bodyHash)) throw new IdempotencyKeyReusedError(key);
        reply.header('idempotent-replayed', 'true');
        return new RawJson(stored.response);
      }
      const response = stringifyJson(await work());
      await this.answers.keep(slot, response);
      return new RawJson(response);
    });
  }
}

/** Method and path; of a long path only its hash, because the route is part of a key. */
function routeOf({ method, url }: FastifyRequest): string {
  const path = url.split('?', 1)[0] as string;
  return `${method} ${path.length > MAX_PATH ? createHash('sha256').update(path).digest('hex') : path}`;
}
