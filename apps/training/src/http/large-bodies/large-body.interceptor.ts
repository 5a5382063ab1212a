import {
  type CallHandler,
  type ExecutionContext,
  createParamDecorator,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { leaveSignal, Refuses, RequestBody, ValidationError } from '@hone/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { BodyTask } from './body-format.js';
import { BodyThreads } from './body-threads.js';
import { BodiesBusyError } from './large-bodies.errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the {@link LargeBodyInterceptor} made of the body. */
    largeBody?: LargeBody<unknown>;
  }
}

/** A large body: what it says, boiled down, and its bytes as they were sent, inflated. */
export interface LargeBody<Content> {
  content: Content;
  bytes: Buffer;
}

/** Bodies up to this size are read where they are: a thread would take longer. */
const SMALL_BYTES = 1_048_576;

const TASK = 'hone.bodyTask';
/** Says how the body of a handler behind a {@link LargeBodyInterceptor} is read. */
export const ReadBy = (task: BodyTask<unknown>): MethodDecorator => SetMetadata(TASK, task);

/** Reads the body before the handler runs, and before its transaction begins where it has one. */
@Refuses(BodiesBusyError)
@Injectable()
export class LargeBodyInterceptor implements NestInterceptor {
  constructor(
    private readonly threads: BodyThreads,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<ReturnType<CallHandler['handle']>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const task = this.reflector.get<BodyTask<unknown>>(TASK, context.getHandler());
    await this.#read(request, task, leaveSignal(http.getResponse<FastifyReply>()));
    return next.handle();
  }

  async #read(request: FastifyRequest, task: BodyTask<unknown>, signal: AbortSignal): Promise<void> {
    const bytes = (request.body instanceof RequestBody ? request.body : NO_BODY).jsonBytes;
    const outcome = bytes.length > SMALL_BYTES ? await this.threads.run(task, bytes, { signal }) : task.run(bytes);
    if ('issues' in outcome) throw new ValidationError(outcome.issues);
    request.largeBody = { content: outcome.content, bytes };
  }
}

const NO_BODY = new RequestBody(Buffer.alloc(0), undefined);

/** The {@link LargeBody} of a handler behind a {@link LargeBodyInterceptor}. */
export const ReadBody = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().largeBody,
);
