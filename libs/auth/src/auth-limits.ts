import { leastRecentlyUsed } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { prefixOf } from './key-format.js';
import { TokenBuckets } from './token-bucket.js';

/** Failed attempts that one address may make with one key prefix: at once, and per second after that. */
const FAILURES_AT_ONCE = 60;
const FAILURES_PER_SECOND = 1;
/** After this long without a failure the bucket is full again. */
const FORGOTTEN_MS = (FAILURES_AT_ONCE / FAILURES_PER_SECOND) * 1_000;
const MAX_PREFIXES = 100_000;

/** Rate limits: on failed attempts per address and key prefix, and on requests per key where the operator sets one. */
@Injectable()
export class AuthLimits {
  private readonly failures = new TokenBuckets(FAILURES_PER_SECOND, FAILURES_AT_ONCE);
  /** Prefixes with recent failures, from any address. */
  private readonly guessed = leastRecentlyUsed<true>({ max: MAX_PREFIXES, ttl: FORGOTTEN_MS });
  private readonly requests: TokenBuckets | undefined;

  /** @param requestsPerSecond per key; undefined: no limit */
  constructor(requestsPerSecond?: number) {
    if (requestsPerSecond) this.requests = new TokenBuckets(requestsPerSecond, Math.max(1, requestsPerSecond));
  }

  /** 0, or the seconds until this address may try keys of this prefix again. */
  failuresLeft(address: string, key: string): number {
    return this.failures.check(`${address} ${prefixOf(key)}`);
  }

  countFailure(address: string, key: string): void {
    const prefix = prefixOf(key);
    this.failures.take(`${address} ${prefix}`);
    this.guessed.set(prefix, true);
  }

  /** {@link failuresLeft} may be more than 0 for some address. */
  isGuessed(key: string): boolean {
    return this.guessed.has(prefixOf(key));
  }

  /** 0, or the seconds until this key may ask again. */
  takeRequest(keyId: string): number {
    return this.requests?.take(keyId) ?? 0;
  }
}
