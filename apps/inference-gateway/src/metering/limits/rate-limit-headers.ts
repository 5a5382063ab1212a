import type { BucketShare } from './bucket-share.js';
import type { SubjectAccount } from './subject-account.js';

/** `x-ratelimit-*` headers: of a key's and a project's rate limit, the one with less left. */
export function rateLimitHeaders(accounts: readonly SubjectAccount[], nowMs: number): Record<string, string> {
  return {
    ...kindHeaders(
      'requests',
      accounts.map(({ requests }) => requests),
      nowMs,
    ),
    ...kindHeaders(
      'tokens',
      accounts.map(({ tokens }) => tokens),
      nowMs,
    ),
  };
}

function kindHeaders(kind: string, shares: readonly BucketShare[], nowMs: number): Record<string, string> {
  const [tightest] = shares
    .filter(({ limit }) => limit !== null)
    .sort((a, b) => a.remaining(nowMs) - b.remaining(nowMs));
  if (!tightest) return {};
  const seconds = Math.ceil(tightest.waitMs(tightest.limit as number, nowMs) / 1_000);
  return {
    [`x-ratelimit-limit-${kind}`]: String(tightest.limit),
    [`x-ratelimit-remaining-${kind}`]: String(Math.max(0, Math.floor(tightest.remaining(nowMs)))),
    [`x-ratelimit-reset-${kind}`]: `${seconds}s`,
  };
}
