import type { TargetFailure } from '../target-failure.js';

/** An adapter is not in the server. */
export class AdapterError extends Error {
  /**
   * @param isLasting the same attempt would fail again: it is not repeated for a while
   */
  constructor(
    readonly failure: TargetFailure,
    readonly isLasting: boolean,
    cause?: unknown,
  ) {
    super(failure.message, { cause });
  }
}

/** The server refused it, or answers otherwise than an adapter's server should. */
export const notLoaded = (message: string, cause?: unknown): AdapterError =>
  new AdapterError({ reason: 'not_loaded', message }, true, cause);

/** The stored bytes are not the committed ones. */
export const corrupt = (cause?: unknown): AdapterError =>
  new AdapterError({ reason: 'corrupt', message: 'The checkpoint is damaged; it is not served.' }, true, cause);
