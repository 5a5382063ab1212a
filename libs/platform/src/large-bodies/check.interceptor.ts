import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  type Provider,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, mergeMap, type Observable } from 'rxjs';

import { RefScheme } from '../config/ref-scheme.js';
import { leaveSignal } from '../http/caller-left.decorator.js';
import { RequestBody } from '../http/request-body.js';
import { bodyClass } from '../openapi/route-handlers.js';
import { readsItself } from '../openapi/takes-large-body.decorator.js';
import { taskOf, toSentBody } from './body.interceptor.js';
import { type CheckTask, contentOf, unpackOutcome } from './body-task.js';
import { BodyThreads } from './body-threads.js';
import { fromClonable } from './cloned-json.js';
import { isHeavy } from './heavy-body.js';

const CHECK_TASK = Symbol('CHECK_TASK');

/** Has a thread parse and check heavy bodies of handlers with `@Body()`, before the pipe would. */
@Injectable()
class CheckInterceptor implements NestInterceptor {
  constructor(
    private readonly threads: BodyThreads,
    private readonly refScheme: RefScheme,
    @Inject(CHECK_TASK) private readonly task: CheckTask,
  ) {}

  /** Waits for nothing when the body is light: this runs for every request. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { body } = request;
    if (!(body instanceof RequestBody) || body.isUnreadable || !isHeavy(body.bytes)) return next.handle();
    const type = this.typeOf(context);
    if (type === undefined) return next.handle();
    const checked = this.check(request, body, type, leaveSignal(http.getResponse<FastifyReply>()));
    return from(checked).pipe(mergeMap(() => next.handle()));
  }

  /** Undefined: the handler takes no such body, or reads it otherwise. */
  private typeOf(context: ExecutionContext): string | undefined {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    if (taskOf(handler) || readsItself(handler)) return undefined;
    const type = bodyClass({ controller, handler, method: handler.name });
    return type && this.task.nameOf(type);
  }

  private async check(request: FastifyRequest, body: RequestBody, type: string, signal: AbortSignal): Promise<void> {
    const { jsonBytes: bytes } = body;
    const outcome = await this.threads.run(this.task, { type, ...toSentBody(body, this.refScheme.name) }, { signal });
    body.checked = (await fromClonable(contentOf(await unpackOutcome(outcome)))) as object;
    request.readBody = { content: body.checked, bytes, project: outcome.project };
  }
}

/** Providers of a service in which heavy bodies of handlers with `@Body()` are checked in {@link BodyThreads}. */
export const checksHeavyBodies = (task: CheckTask): Provider[] => [
  { provide: CHECK_TASK, useValue: task },
  { provide: APP_INTERCEPTOR, useClass: CheckInterceptor },
];
