import { AnswerError, ConnectionError, RateLimitError } from '../errors/hone-error.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A server that asks for more than this is not waited for: the caller decides. */
const MAX_RETRY_AFTER_MS = 60_000;
const TRANSIENT = new Set([408, 502, 503, 504]);
/** Codes of 409s that end by themselves: the first request of the key still runs. */
const TRANSIENT_CODES = new Set(['idempotency.in_progress']);

/**
 * Milliseconds until the next attempt. Null: no further attempt helps, or it might do the work twice.
 *
 * @param attempt 0 for the first repetition
 * @param isRepeatable whether doing the request twice is the same as doing it once; a 429 was not done at all
 */
export function retryDelayMs(error: unknown, attempt: number, isRepeatable: boolean): number | null {
  const isTransient =
    error instanceof ConnectionError ||
    (error instanceof AnswerError && (TRANSIENT.has(error.status) || TRANSIENT_CODES.has(error.code)));
  if (!(error instanceof RateLimitError) && !(isRepeatable && isTransient)) return null;
  const asked = error instanceof AnswerError ? error.retryAfterMs : null;
  if (asked !== null) return asked <= MAX_RETRY_AFTER_MS ? asked : null;
  // Full jitter, so that clients that were refused together do not come back together.
  return Math.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
}

/** Waits. @throws the signal's reason */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
