import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { RefScheme } from '../config/ref-scheme.js';
import { leaveSignal } from '../http/caller-left.decorator.js';
import { projectOf } from '../http/project-of-body.js';
import { RequestBody } from '../http/request-body.js';
import { TakesLargeBody } from '../openapi/takes-large-body.decorator.js';
import { type BodyTask, contentOf, type SentBody } from './body-task.js';
import { BodyThreads } from './body-threads.js';
import { isHeavy } from './heavy-body.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the {@link BodyInterceptor} made of the body. */
    readBody?: ReadBody<unknown>;
  }
}

/** A body: what its task made of it, its bytes as they were sent, inflated, and the project that it names. */
export interface ReadBody<Content> {
  content: Content;
  bytes: Buffer;
  project: string;
}

/** A caller who sends so much sends data, and may send a heavy body next; forms and queries of the console are smaller. */
const DATA_BYTES = 4_096;
const NO_BODY = new RequestBody(Buffer.alloc(0), undefined);
const TASK = 'hone.bodyTask';

/** The task that reads the body of a handler; undefined: the handler is not behind a {@link BodyInterceptor}. */
export const taskOf = (handler: object): BodyTask<unknown> | undefined =>
  Reflect.getMetadata(TASK, handler) as BodyTask<unknown> | undefined;

/** Reads the body before the handler runs, and before its transaction begins where it has one. */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    private readonly threads: BodyThreads,
    private readonly refScheme: RefScheme,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<ReturnType<CallHandler['handle']>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const task = taskOf(context.getHandler()) as BodyTask<unknown>;
    const body = request.body instanceof RequestBody ? request.body : NO_BODY;
    const { jsonBytes: bytes } = body;
    if (bytes.length > DATA_BYTES) this.threads.prepare(task);
    request.readBody = isHeavy(bytes)
      ? await this.readInThread(task, body, leaveSignal(http.getResponse<FastifyReply>()))
      : this.readHere(task, body);
    return next.handle();
  }

  private readHere(task: BodyTask<unknown>, body: RequestBody): ReadBody<unknown> {
    const outcome = task.read(body.jsonFor(task.type, task.limits), this.refScheme.name);
    return { content: contentOf(outcome), bytes: body.bytes, project: projectOf(body.json()) };
  }

  private async readInThread(
    task: BodyTask<unknown>,
    body: RequestBody,
    signal: AbortSignal,
  ): Promise<ReadBody<unknown>> {
    const packed = await this.threads.run(task, toSentBody(body, this.refScheme.name), { signal });
    return { content: contentOf(await task.unpack(packed)), bytes: body.bytes, project: packed.project };
  }
}

export function toSentBody({ bytes, translation }: RequestBody, refScheme: string): SentBody {
  if (!translation) return { bytes, refScheme };
  const { limits, module, options } = translation;
  return { bytes, refScheme, translation: { limits, module, options } };
}

/**
 * The handler takes a {@link BodyContent} or a {@link WholeBody} that a task reads: in another thread when the body is heavy.
 *
 * @param interceptor of a service that declares with which errors heavy bodies are refused
 */
export const ReadsBody = (task: BodyTask<unknown>, interceptor: Type = BodyInterceptor): MethodDecorator =>
  applyDecorators(TakesLargeBody(task.type), SetMetadata(TASK, task), UseInterceptors(interceptor));

/** What the task of the handler made of the body. */
export const BodyContent = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().readBody?.content,
);

/** The same with the bytes: a {@link ReadBody}. */
export const WholeBody = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().readBody,
);
