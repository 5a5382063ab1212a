import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { PathIdempotencyInterceptor, TakesLargeBody } from '@hone/platform';

import type { BodyTask } from './body-format.js';
import { LargeBodyInterceptor, ReadBy } from './large-body.interceptor.js';

/** The handler takes a `@ReadBody()` that a task reads, in another thread when it is large. */
export const ReadsLargeBody = (task: BodyTask<unknown>): MethodDecorator =>
  applyDecorators(TakesLargeBody(task.type), ReadBy(task), UseInterceptors(LargeBodyInterceptor));

/** The same for a write, which honours `Idempotency-Key`: its transaction begins when the body has been read. */
export const WritesLargeBody = (task: BodyTask<unknown>): MethodDecorator =>
  applyDecorators(
    TakesLargeBody(task.type),
    ReadBy(task),
    UseInterceptors(LargeBodyInterceptor, PathIdempotencyInterceptor),
  );
