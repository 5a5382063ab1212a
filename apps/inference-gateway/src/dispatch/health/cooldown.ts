import type { Clock } from '../../shared/time/clock.js';
import type { HealthLimits } from '../policy/limits.js';

/** A longer `Retry-After` of an upstream is not believed. */
const RETRY_AFTER_MAX_MS = 60_000;

/** Cooldown of a target that answered 429. It is not broken: other targets are only preferred to it. */
export class Cooldown {
  private untilMs = 0;
  private inRow = 0;

  constructor(
    private readonly limits: HealthLimits,
    private readonly clock: Clock,
  ) {}

  /** Milliseconds that are left; 0: there is no cooldown. */
  get leftMs(): number {
    return this.untilMs === 0 ? 0 : Math.max(0, this.untilMs - this.clock.now());
  }

  /** @param retryAfterMs what the target asked for; undefined: exponential back-off from `coolingMs` */
  begin(retryAfterMs: number | undefined): void {
    const { coolingMs, coolingMaxMs } = this.limits;
    const backoffMs = Math.min(coolingMs * 2 ** this.inRow, coolingMaxMs);
    const ms = retryAfterMs === undefined ? backoffMs : Math.min(retryAfterMs, RETRY_AFTER_MAX_MS);
    this.inRow++;
    this.untilMs = Math.max(this.untilMs, this.clock.now() + ms);
  }

  /** The target answered: the next cooldown begins at `coolingMs` again. */
  end(): void {
    this.inRow = 0;
  }
}
