/** Headers that say whether and when to retry, lower-case; OpenAI's SDKs read all three. */
export type RetryHeaders = Readonly<Record<string, string>>;

/** The same request can never succeed: an SDK must not retry it. */
export const NO_RETRY: RetryHeaders = { 'x-should-retry': 'false' };

/** The same request may succeed in a moment, also where an SDK would not retry by itself. */
export const RETRY: RetryHeaders = { 'x-should-retry': 'true' };

const MAX_SECONDS = 86_400;

/**
 * `Retry-After` in whole seconds, 1 to a day, and `retry-after-ms` beside it.
 *
 * @param ms wait until a retry may succeed
 */
export function retryAfter(ms: number): RetryHeaders {
  const seconds = Math.min(Math.max(1, Math.ceil(ms / 1_000)), MAX_SECONDS);
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1_000) };
}
