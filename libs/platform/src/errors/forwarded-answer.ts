import type { Readable } from 'node:stream';

/**
 * The answer of a request that another thread has handled, whole: status, headers and body are not this thread's.
 * Thrown, because what a handler returns has the status that the handler declares.
 */
export class ForwardedAnswer extends Error {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string | string[]>,
    readonly body: Readable,
  ) {
    super('Another thread answered.');
  }
}
