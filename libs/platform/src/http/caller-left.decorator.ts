import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/**
 * Parameter of a handler: a signal that is aborted when the caller leaves before the answer. For work that takes long:
 * `left.throwIfAborted()` between its steps ends it, and nobody is answered.
 */
export const CallerLeft = createParamDecorator((_data: unknown, context: ExecutionContext): AbortSignal =>
  leaveSignal(context.switchToHttp().getResponse<FastifyReply>()),
);

/** Aborted when the connection closes before the answer has been sent. */
export function leaveSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
}
