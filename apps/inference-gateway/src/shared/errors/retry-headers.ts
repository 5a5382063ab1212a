/** Headers that say whether and when to retry, lower-case; OpenAI's SDKs read all three. */
export type RetryHeaders = Readonly<Record<string, string>>;

/** The same request can never succeed: an SDK must not retry it. */
export const NO_RETRY: RetryHeaders = { 'x-should-retry': 'false' };

/** The same request may succeed in a moment, also where an SDK would not retry by itself. */
export const RETRY: RetryHeaders = { 'x-should-retry': 'true' };

/**
 * `Retry-After` in whole seconds, at least 1, and `retry-after-ms` beside it.
 *
 * @param ms wait until a retry may succeed
 */
export function retryAfter(ms: number): RetryHeaders {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1_000) };
}
