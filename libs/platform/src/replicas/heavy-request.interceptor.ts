import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, from, type Observable } from 'rxjs';

import { RequestBody } from '../http/request-body.js';
import { taskOf } from '../large-bodies/body.interceptor.js';
import { isHeavy } from '../large-bodies/heavy-body.js';
import { readsItself } from '../openapi/takes-large-body.decorator.js';
import { HeavyWorkError } from './heavy-work.js';
import type { ReplicaThreads } from './replica-threads.js';

const NO_BODY = Buffer.alloc(0);
/** Tasks read the bodies of these handlers. */
const isReadElsewhere = (handler: object): boolean => taskOf(handler) !== undefined || readsItself(handler);
/** Who sends so much sends data, and may send a heavy body next; forms and queries of the console are smaller. */
const DATA_BYTES = 4_096;

/**
 * Passes heavy requests on to another thread: those with heavy bodies after the guards, before anything looks into the
 * body, and those whose handler says so of what it has read.
 */
export class HeavyRequestInterceptor implements NestInterceptor {
  constructor(private readonly threads: ReplicaThreads) {}

  /** Waits for nothing when the body is light: this runs for every request. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { body } = request;
    const bytes =
      body instanceof RequestBody && !body.isUnreadable && !isReadElsewhere(context.getHandler())
        ? body.bytes
        : undefined;
    if (bytes !== undefined && bytes.length > DATA_BYTES) this.threads.prepare();
    if (bytes !== undefined && isHeavy(bytes)) return this.forward(request, http.getResponse<FastifyReply>(), bytes);
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (!(error instanceof HeavyWorkError)) throw error;
        return from(this.forward(request, http.getResponse<FastifyReply>(), bytes ?? NO_BODY));
      }),
    );
  }

  private async forward(request: FastifyRequest, reply: FastifyReply, bytes: Buffer): Promise<never> {
    throw await this.threads.forward(request, reply, bytes);
  }
}
