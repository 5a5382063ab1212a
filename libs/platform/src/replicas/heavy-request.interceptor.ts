import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, from, type Observable } from 'rxjs';

import { RequestBody } from '../http/request-body.js';
import { HeavyWorkError } from './heavy-work.js';
import type { ReplicaThreads } from './replica-threads.js';

const NO_BODY = Buffer.alloc(0);

/** Passes requests on to another thread whose handler says so of what it has read. */
export class HeavyRequestInterceptor implements NestInterceptor {
  constructor(private readonly threads: ReplicaThreads) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { body } = request;
    const bytes = body instanceof RequestBody && !body.isUnreadable ? body.bytes : undefined;
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
