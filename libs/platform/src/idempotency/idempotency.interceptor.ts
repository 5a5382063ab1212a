import { createHash } from 'node:crypto';

import { memberOf } from '@hone/contracts';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';

import {
  IdempotencyInProgressError,
  IdempotencyKeyInvalidError,
  IdempotencyKeyReusedError,
} from '../errors/platform.errors.js';
import { Refuses } from '../errors/refuses.decorator.js';
import { projectOf } from '../http/project-of-body.js';
import type { RequestBody } from '../http/request-body.js';
import { IdempotentWrites } from './idempotent-writes.js';

const HASH_SLICE_BYTES = 1_048_576;

/**
 * `Idempotency-Key` on a POST write: the write, and the record that it was made, commit together; a repetition gets
 * the stored answer with `Idempotent-Replayed: true`. Only 200 answers are kept.
 */
@Refuses(IdempotencyKeyInvalidError, IdempotencyKeyReusedError, IdempotencyInProgressError)
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly writes: IdempotentWrites) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = this.writes.keyOf(request);
    if (key === undefined || !this.isWrite(request)) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return from(this.once(request, reply, key, next));
  }

  /** Whether the request changes anything. */
  protected isWrite(_request: FastifyRequest): boolean {
    return true;
  }

  /** What beside user, route and key a stored answer belongs to: the project that the body names. */
  protected scopeOf({ readBody, body }: FastifyRequest): string {
    return readBody ? readBody.project : projectOf((body as RequestBody).json());
  }

  private async once(request: FastifyRequest, reply: FastifyReply, key: string, next: CallHandler): Promise<unknown> {
    const body = request.body as RequestBody;
    const write = { key, scope: this.scopeOf(request), bodyHash: await hashOf(body.bytes) };
    return this.writes.once(request, reply, write, () => lastValueFrom(next.handle()));
  }
}

/** The same for routes whose path says it all; the body is not looked into. */
@Injectable()
export class PathIdempotencyInterceptor extends IdempotencyInterceptor {
  protected override scopeOf(): string {
    return '';
  }
}

/**
 * The same for routes whose bodies may say `dry_run`. A dry run changes nothing, so that its key says nothing; it may
 * take seconds, during which no transaction is to be open.
 */
@Injectable()
class RealRunIdempotencyInterceptor extends IdempotencyInterceptor {
  protected override isWrite({ body }: FastifyRequest): boolean {
    return memberOf((body as RequestBody).json(), 'dry_run') !== true;
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

const INTERCEPTORS = {
  project: IdempotencyInterceptor,
  path: PathIdempotencyInterceptor,
  'real run': RealRunIdempotencyInterceptor,
};

/**
 * The handler of a POST write honours `Idempotency-Key`. Not for reads, nor for answers that hold a secret. Above
 * `@ReadsBody()`, so that the transaction begins when the body has been read.
 *
 * @param per whether one key may be used once for each project that a body names, or once for the path; `real run`: as
 *   for projects, but bodies that say `dry_run` take no key
 */
export const IdempotentByKey = (per: keyof typeof INTERCEPTORS = 'project'): MethodDecorator =>
  UseInterceptors(INTERCEPTORS[per]);
