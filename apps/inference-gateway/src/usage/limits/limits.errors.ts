import type { Limits, LimitName, Subject } from './limits.js';

const NO_RETRY = { 'x-should-retry': 'false' };

/** A limit of the key or of its project is used up; the fields are those of the answer. */
export class LimitExceededError extends Error {
  readonly status: 402 | 429;
  readonly type: 'rate_limit_error' | 'insufficient_quota';
  readonly code: 'rate_limit_requests' | 'rate_limit_tokens' | 'concurrency_limit' | 'budget_exceeded';
  readonly headers: Readonly<Record<string, string>>;

  /** @param waitMs until it could pass; without meaning for a budget */
  constructor(
    readonly limit: LimitName,
    readonly scope: Subject['scope'],
    limits: Limits,
    waitMs: number,
  ) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    super(messageOf(limit, scope, limits, seconds));
    this.status = limit === 'budget' ? 402 : 429;
    this.type = limit === 'budget' ? 'insufficient_quota' : 'rate_limit_error';
    this.code = CODES[limit];
    this.headers = limit === 'budget' ? NO_RETRY : retryHeaders(seconds, waitMs, isNever(limit, limits));
  }
}

/** Nothing is known about the limits of this key or project, and the database is away. */
export class LimitsUnavailableError extends Error {
  readonly status = 503;
  readonly type = 'overloaded_error';
  readonly code = 'overloaded';
  readonly headers = { 'retry-after': '1', 'x-should-retry': 'true' };

  constructor(cause: unknown) {
    super('The limits of this key cannot be read at the moment.', { cause });
  }
}

const CODES = {
  requests: 'rate_limit_requests',
  tokens: 'rate_limit_tokens',
  concurrency: 'concurrency_limit',
  budget: 'budget_exceeded',
} as const;

function messageOf(limit: LimitName, scope: Subject['scope'], limits: Limits, seconds: number): string {
  const again = `try again in ${seconds} s.`;
  switch (limit) {
    case 'requests':
      return `This ${scope} has reached its limit of ${limits.requestsPerMinute} requests per minute; ${again}`;
    case 'tokens':
      return `This ${scope} has reached its limit of ${limits.tokensPerMinute} tokens per minute; ${again}`;
    case 'concurrency':
      return `Concurrency limit reached for requests: this ${scope} may have ${limits.concurrentRequests} at once.`;
    case 'budget':
      return `The monthly budget of this ${scope} is spent.`;
  }
}

/** A limit of 0 passes nothing, however long one waits. */
const isNever = (limit: LimitName, limits: Limits): boolean =>
  (limit === 'requests' && limits.requestsPerMinute === 0) ||
  (limit === 'tokens' && limits.tokensPerMinute === 0) ||
  (limit === 'concurrency' && limits.concurrentRequests === 0);

const retryHeaders = (seconds: number, waitMs: number, isHopeless: boolean): Record<string, string> => ({
  'retry-after': String(seconds),
  'retry-after-ms': String(Math.max(1, Math.ceil(waitMs))),
  ...(isHopeless && NO_RETRY),
});
