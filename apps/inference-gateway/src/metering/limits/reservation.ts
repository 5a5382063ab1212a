import type { Clock } from '../../shared/time/clock.js';
import type { LimitExceededError } from './limits.errors.js';
import type { Need } from './limits.js';
import { rateLimitHeaders } from './rate-limit-headers.js';
import type { Spending } from './spending.js';
import type { SubjectAccount, Taken } from './subject-account.js';

/** The models that a reservation is for, where it leaves others out. */
interface Admitted {
  /** By the ids of their routes. */
  readonly models: Need['models'];
  /** Of one that is left out. */
  readonly refusal: LimitExceededError;
}

/** Reservation of one request on the limits of its key and its project, until it is settled. */
export class Reservation {
  private isSettled = false;

  constructor(
    private readonly parts: readonly { account: SubjectAccount; taken: Taken }[],
    private readonly clock: Clock,
    private readonly spending: Spending,
    private readonly admitted: Admitted | null = null,
  ) {}

  /** Whether a model may answer, by the id of its route. */
  admits(routeId: string): boolean {
    return this.admitted?.models?.has(routeId) ?? true;
  }

  /** Why a model may not answer. Null: all may. */
  get refusal(): LimitExceededError | null {
    return this.admitted?.refusal ?? null;
  }

  /** Current `x-ratelimit-*` headers of the limits that apply; empty when there are none. */
  get headers(): Record<string, string> {
    if (!this.parts.some(({ account }) => account.hasRates)) return {};
    const accounts = this.parts.map(({ account }) => account);
    return rateLimitHeaders(accounts, this.clock.now());
  }

  /**
   * Settles the reservation when the request has ended, in any way. Idempotent.
   *
   * @param actual usage that is charged; zeros for a request that was not served
   */
  settle(actual: Need): void {
    if (this.isSettled) return;
    this.isSettled = true;
    for (const { account, taken } of this.parts) {
      for (const { budget, costNanoUsd } of account.settle(taken, actual)) {
        if (costNanoUsd > 0) this.spending.add(budget, costNanoUsd, this.clock.now());
      }
    }
  }
}
