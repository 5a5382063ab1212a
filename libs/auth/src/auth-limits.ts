import { Injectable } from '@nestjs/common';

import { TokenBuckets } from './token-bucket.js';

/** Failed attempts that one address may make with one key prefix: at once, and per second after that. */
const FAILURES_AT_ONCE = 60;
const FAILURES_PER_SECOND = 1;

/** Brakes on guessing keys, and on requests per key where the operator sets one. */
@Injectable()
export class AuthLimits {
  readonly #failures = new TokenBuckets(FAILURES_PER_SECOND, FAILURES_AT_ONCE);
  readonly #requests: TokenBuckets | undefined;

  /** @param requestsPerSecond per key; undefined: no limit */
  constructor(requestsPerSecond?: number) {
    if (requestsPerSecond) this.#requests = new TokenBuckets(requestsPerSecond, Math.max(1, requestsPerSecond));
  }

  /** 0, or the seconds until this source may fail again. */
  failuresLeft(source: string): number {
    return this.#failures.check(source);
  }

  countFailure(source: string): void {
    this.#failures.take(source);
  }

  /** 0, or the seconds until this key may ask again. */
  takeRequest(keyId: string): number {
    return this.#requests?.take(keyId) ?? 0;
  }
}
