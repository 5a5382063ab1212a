import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';

import { RequestBody } from '../http/request-body.js';
import { isHeavy } from './heavy-body.js';
import type { ReplicaThreads } from './replica-threads.js';

/** Passes requests with heavy bodies on to another thread, after the guards, before anything looks into the body. */
export class HeavyBodyInterceptor implements NestInterceptor {
  constructor(private readonly threads: ReplicaThreads) {}

  /** Waits for nothing when the body is light: this runs for every request. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { body } = request;
    const bytes = body instanceof RequestBody && !body.isUnreadable ? body.bytes : undefined;
    if (bytes === undefined || !isHeavy(bytes)) return next.handle();
    return this.#forward(request, http.getResponse<FastifyReply>(), bytes);
  }

  async #forward(request: FastifyRequest, reply: FastifyReply, bytes: Buffer): Promise<never> {
    throw await this.threads.forward(request, reply, bytes);
  }
}
