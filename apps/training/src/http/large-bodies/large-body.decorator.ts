import { BodyInterceptor, type BodyTask, PathIdempotencyInterceptor, ReadsBody, Refuses } from '@hone/platform';
import { applyDecorators, Injectable, UseInterceptors } from '@nestjs/common';

import { BodiesBusyError } from './large-bodies.errors.js';

@Refuses(BodiesBusyError)
@Injectable()
class LargeBodyInterceptor extends BodyInterceptor {}

/** The handler takes a `@WholeBody()` that a task reads, in another thread when it is large. */
export const ReadsLargeBody = (task: BodyTask<unknown>): MethodDecorator => ReadsBody(task, LargeBodyInterceptor);

/** The same for a write, which honours `Idempotency-Key`: its transaction begins when the body has been read. */
export const WritesLargeBody = (task: BodyTask<unknown>): MethodDecorator =>
  applyDecorators(ReadsLargeBody(task), UseInterceptors(PathIdempotencyInterceptor));
