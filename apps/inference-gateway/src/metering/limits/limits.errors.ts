import type { DomainErrorClass, ErrorKind } from '@hone/platform';

import { cutText } from '../../shared/errors/error-bounds.js';
import { GatewayError } from '../../shared/errors/gateway-error.js';
import { NO_RETRY, RETRY, retryAfter, type RetryHeaders } from '../../shared/errors/retry-headers.js';
import type { Budget, LimitName, Limits, Subject } from './limits.js';

const MAX_NAME = 200;

/** Whose limit refuses a request, and which. */
export interface LimitTerms {
  readonly scope: Subject['scope'];
  readonly limits: Limits;
  readonly budget?: Pick<Budget, 'period' | 'model'> | undefined;
}

/** A limit of the key or of its project is used up. */
export class LimitExceededError extends GatewayError {
  readonly scope: Subject['scope'];
  private readonly isSpent: boolean;

  /**
   * @param waitMs until the request could pass; null: the budget of the day or month is spent
   * @param headers of the error beside those of a retry, lower-case
   */
  constructor(
    readonly limit: LimitName,
    terms: LimitTerms,
    waitMs: number | null,
    headers: RetryHeaders = {},
  ) {
    const isSpent = waitMs === null;
    const seconds = Math.max(1, Math.ceil((waitMs ?? 0) / 1_000));
    super(isSpent ? `The ${budgetOf(terms)} is spent.` : messageOf(limit, terms, seconds), {
      headers: { ...headers, ...(isSpent ? NO_RETRY : retryHeaders(waitMs, isNever(limit, terms.limits))) },
    });
    this.scope = terms.scope;
    this.isSpent = isSpent;
  }

  override get kind(): ErrorKind {
    return this.isSpent ? SPENT.kind : 'rate_limited';
  }

  override get code(): string {
    return this.isSpent ? SPENT.code : CODES[this.limit];
  }
}

/** The limits of this key or project are not cached, and the database is unavailable. */
export class LimitsUnavailableError extends GatewayError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'overloaded';
  constructor(cause: unknown) {
    super('The limits of this key cannot be read at the moment.', {
      headers: { ...RETRY, ...retryAfter(1_000) },
      cause,
    });
  }
}

const CODES = {
  requests: 'rate_limit_requests',
  tokens: 'rate_limit_tokens',
  concurrency: 'concurrency_limit',
  budget: 'budget_reserved',
} as const;
const SPENT = { kind: 'payment_required', code: 'budget_exceeded' } as const;

/** What a {@link LimitExceededError} may be. */
export const LIMIT_ERRORS: readonly DomainErrorClass[] = [
  SPENT,
  ...Object.values(CODES).map((code) => ({ kind: 'rate_limited', code }) as const),
];

function budgetOf({ scope, budget }: LimitTerms): string {
  const { period = 'month', model = null } = budget ?? {};
  const named = `${period === 'day' ? 'daily' : 'monthly'} budget of this ${scope}`;
  return model === null ? named : `${named} for '${cutText(model, MAX_NAME)}'`;
}

function messageOf(limit: LimitName, terms: LimitTerms, seconds: number): string {
  const { scope, limits } = terms;
  const again = `try again in ${seconds} s.`;
  switch (limit) {
    case 'requests':
      return `This ${scope} has reached its limit of ${limits.requestsPerMinute} requests per minute; ${again}`;
    case 'tokens':
      return `This ${scope} has reached its limit of ${limits.tokensPerMinute} tokens per minute; ${again}`;
    case 'concurrency':
      return `Concurrency limit reached for requests: this ${scope} may have ${limits.concurrentRequests} at once.`;
    case 'budget':
      return `What is left of the ${budgetOf(terms)} is reserved by running requests; ${again}`;
  }
}

/** A limit of 0 refuses every request, so a retry cannot succeed. */
const isNever = (limit: LimitName, limits: Limits): boolean =>
  (limit === 'requests' && limits.requestsPerMinute === 0) ||
  (limit === 'tokens' && limits.tokensPerMinute === 0) ||
  (limit === 'concurrency' && limits.concurrentRequests === 0);

/** As long as the longest `Retry-After`. */
const MAX_WAIT_MS = 86_400_000;

/** Exact in milliseconds: a token bucket refills continuously. */
const retryHeaders = (waitMs: number, isFinal: boolean): RetryHeaders => ({
  ...retryAfter(waitMs),
  'retry-after-ms': String(Math.min(Math.max(1, Math.ceil(waitMs)), MAX_WAIT_MS)),
  ...(isFinal && NO_RETRY),
});
